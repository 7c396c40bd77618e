/** How many records of a run became dead letters. */
import type { Numbers } from "../../live/state";

/** Those of a node, or of all; null while nothing is known of the run. */
export function lettersOf(numbers: Numbers | null | undefined, node: string | null): number | null {
  if (numbers == null) return null;
  return node === null ? numbers.dead_letters : (numbers.nodes[node]?.dead_letters ?? 0);
}
