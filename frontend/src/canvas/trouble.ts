/** What of a node's live numbers is seen from any distance. */
import { flows } from "../live/rates";
import type { LiveState, NodeNumbers } from "../live/state";

/** The share of the workers' time that a node takes, in twentieths: so coarse that it is seldom redrawn. */
export function busyTwentieths(state: LiveState | null, id: string): number {
  if (state === null || !flows(state)) return 0;
  return Math.round((state.numbers?.nodes[id]?.busy ?? 0) * 20);
}

/** "failing" where records failed, else "dropping" where some were dropped, else "". */
export function troubleOf(numbers: Pick<NodeNumbers, "dropped" | "errors"> | undefined): string {
  if (numbers === undefined) return "";
  if (numbers.errors > 0) return "failing";
  return numbers.dropped > 0 ? "dropping" : "";
}
