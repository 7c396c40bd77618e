/** The order of what the finder found: what starts with the search comes first, and a command before a place. */

interface Row {
  readonly word: string;
}

export function sortMatches<T extends Row>(search: string, commands: readonly T[], places: readonly T[]): readonly T[] {
  const query = search.trim().toLowerCase();
  if (query === "") return [...places, ...commands];
  const rank = ({ word }: Row) => {
    const text = word.toLowerCase();
    if (text.startsWith(query)) return 0;
    return text.includes(` ${query}`) ? 1 : 2;
  };
  const found = commands.filter(({ word }) => word.toLowerCase().includes(query));
  return [...found, ...places].sort((one, other) => rank(one) - rank(other));
}
