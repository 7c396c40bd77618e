/** A name in at most `most` characters, with an ellipsis at the end if it is longer. */
export function shorten(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

/** The number of characters of an operator's name that fit beside a rate on a drawn node. */
export function measureRoom(rate: string): number {
  return rate === "" ? 16 : Math.max(4, 15 - rate.length);
}
