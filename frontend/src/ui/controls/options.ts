/** What the boxes with a list of options share: the topic of a node, and the users in a comment. */

/** The next place in a list of `length`, in a circle. From -1 (none), a step goes to the first or the last. */
export function findNextPlace(from: number, by: -1 | 1, length: number): number {
  if (length === 0) return -1;
  return from < 0 ? (by === 1 ? 0 : length - 1) : (from + by + length) % length;
}

/** Scrolls an option into sight. Pass it as the `ref` of the active one. */
export function showOption(option: HTMLLIElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
