import type { Operator } from "../api/types";

/** Most often first, as the applications of the gallery go on. What does not fit is not offered anyway. */
const USUAL = [
  "to_stream",
  "windowed_by",
  "count",
  "aggregate",
  "reduce",
  "filter",
  "map_values",
  "select_key",
  "group_by_key",
  "join",
  "left_join",
  "to",
];
/** What goes on otherwise: whoever turns a table into a stream mostly writes it. */
const AFTER: Readonly<Record<string, string>> = { to_stream: "to" };
const MAX_LIKELY = 5;

/** Those of the offered operators that most likely follow an operator. */
export function likely(offered: readonly Operator[], after: string): readonly Operator[] {
  const names = [...new Set([AFTER[after], ...USUAL])].filter((name) => name !== after);
  const found = names.flatMap((name) => offered.filter((operator) => operator.name === name));
  return found.slice(0, MAX_LIKELY);
}
