/** What of a node is seen from any distance. */
import type { Issue, IssueCode } from "../../api/types";
import { flows } from "../../live/rates";
import { mergeLags } from "../../live/numbers";
import type { LiveState, NodeNumbers, SourceNumbers } from "../../live/state";

/** What is so of every node that was just set down. */
const FRESH: readonly IssueCode[] = ["field.missing", "port.unconnected", "node.unused"];

/** The share of the workers' time that a node takes, in twentieths: so coarse that it is seldom redrawn. */
export function countBusyTwentieths(state: LiveState | null, id: string): number {
  if (state === null || !flows(state)) return 0;
  return Math.round((state.numbers?.nodes[id]?.busy ?? 0) * 20);
}

/** Whether a node only needs to be set up, which is no fault yet. */
export function isFresh(issues: readonly Issue[]): boolean {
  return issues.every(({ code }) => FRESH.includes(code));
}

export type Trouble = "bad" | "warn" | "";

/** "bad" where records failed or a problem is loud; "warn" where some were dropped, lag rises, or it needs set-up. */
export function findTrouble(
  numbers: Pick<NodeNumbers, "dropped" | "errors"> | undefined,
  sources: readonly SourceNumbers[],
  issues: readonly Issue[],
): Trouble {
  if ((numbers?.errors ?? 0) > 0 || !isFresh(issues)) return "bad";
  const lag = mergeLags(sources);
  const isRising = lag?.trend === "rising" && (lag.total_lag ?? 0) > 0;
  return (numbers?.dropped ?? 0) > 0 || isRising || issues.length > 0 ? "warn" : "";
}
