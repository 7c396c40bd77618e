import { useState } from "react";

export interface Held<Item> {
  readonly shown: readonly Item[];
  /** How many came since. */
  readonly newer: number;
}

/** The items; while `hold` (their reader is among them) those there were when it began, so that nothing moves. */
export function useHeld<Item>(items: readonly Item[], isHolding: boolean, keyOf: (item: Item) => string): Held<Item> {
  const [held, setHeld] = useState<readonly Item[] | null>(null);
  if (isHolding && held === null) setHeld(items);
  if (!isHolding && held !== null) setHeld(null);
  const shown = isHolding ? (held ?? items) : items;
  return { shown, newer: newerThan(items, shown[0], keyOf) };
}

/** How many items stand before the one that was the first; all of them when it has left the list. */
export function newerThan<Item>(
  items: readonly Item[],
  first: Item | undefined,
  keyOf: (item: Item) => string,
): number {
  if (first === undefined || items[0] === first) return 0;
  const wanted = keyOf(first);
  const at = items.findIndex((item) => keyOf(item) === wanted);
  return at === -1 ? items.length : at;
}
