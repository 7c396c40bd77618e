import { useState } from "react";

export interface ItemsView<Item> {
  readonly visible: readonly Item[];
  /** The number of newer items. */
  readonly newer: number;
}

/** The items. While `isHolding` (the reader is among them), the items from its start, so that nothing moves. */
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

/** The number of items before the former first. All of them if it has left the list. */
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
