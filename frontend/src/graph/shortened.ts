/** A name in at most `most` characters, its end replaced by an ellipsis where it is longer. */
export function shortened(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}
