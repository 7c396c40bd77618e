/** Moves the focus through a list by keys. */

/** The target of a key from the focused place. Null for any other key. */
export function findFocusMove(key: string, places: readonly HTMLElement[]): (() => void) | null {
  const at = places.findIndex((place) => place === document.activeElement);
  const next: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = next[key];
  return to === undefined ? null : () => places.at(to % places.length)?.focus();
}
