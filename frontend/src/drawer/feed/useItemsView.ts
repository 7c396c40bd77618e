import { useState } from "react";

export interface ItemsView<Item> {
  readonly visible: readonly Item[];
  /** How many came since. */
  readonly newer: number;
}

/** The items; while `isHolding` (their reader is among them) those there were when it began, so that nothing moves. */
export function useItemsView<Item>(
  items: readonly Item[],
  isHolding: boolean,
  keyOf: (item: Item) => string,
): ItemsView<Item> {
  const [snapshot, setSnapshot] = useState<readonly Item[] | null>(null);
  if (isHolding && snapshot === null) setSnapshot(items);
  if (!isHolding && snapshot !== null) setSnapshot(null);
  const visible = isHolding ? (snapshot ?? items) : items;
  return { visible, newer: countNewer(items, visible[0], keyOf) };
}

/** How many items are before the one that was the first; all of them when it has left the list. */
export function countNewer<Item>(
  items: readonly Item[],
  first: Item | undefined,
  keyOf: (item: Item) => string,
): number {
  if (first === undefined || items[0] === first) return 0;
  const firstKey = keyOf(first);
  const at = items.findIndex((item) => keyOf(item) === firstKey);
  return at === -1 ? items.length : at;
}
