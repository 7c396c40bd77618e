import type { Operator } from "../../api/types";

export interface Family {
  readonly name: string;
  readonly operators: readonly Operator[];
}

/** `mapValues`, `map_values`, "map values" and "change the value" all find `map_values`. Names come before help. */
export function findOperators(operators: readonly Operator[], search: string): readonly Operator[] {
  const words = search.trim().toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return operators;
  const ranks = operators.map((operator) => ({ operator, rank: rankOf(operator, search, words) }));
  return ranks
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ operator }) => operator);
}

/** Families and operators in the order of the catalogue, which the palette keeps. */
export function groupByFamily(operators: readonly Operator[]): readonly Family[] {
  const names = [...new Set(operators.map(({ family }) => family))];
  return names.map((name) => ({ name, operators: operators.filter(({ family }) => family === name) }));
}

/** The first sentence of an operator's help. */
export function takeFirstSentence({ help }: Operator): string {
  return help.split(/(?<=\.)\s/)[0] ?? "";
}

function rankOf(operator: Operator, search: string, words: readonly string[]): number {
  const [name, query] = [toPlain(operator.name), toPlain(search)];
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  const others = operator.kafka_names.map(toPlain);
  if (others.includes(query)) return 1;
  if (name.includes(query)) return 2;
  if (query.length > 2 && others.some((other) => other.startsWith(query))) return 2;
  const help = `${operator.name} ${operator.family} ${operator.help}`.toLowerCase();
  if (!words.every((word) => help.includes(word))) return Infinity;
  return words.every((word) => takeFirstSentence(operator).toLowerCase().includes(word)) ? 3 : 4;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}
