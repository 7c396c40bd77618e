/** Names in the order in which people count: "orders-12" comes before "orders-100". */

const NAMES = new Intl.Collator(undefined, { numeric: true });

/** Negative if `one` comes before `other`, as `Array.sort` takes it. */
export function compareNames(one: string, other: string): number {
  return NAMES.compare(one, other);
}

export function sortByName<T extends { readonly name: string }>(things: readonly T[]): readonly T[] {
  return things.toSorted((one, other) => NAMES.compare(one.name, other.name));
}
