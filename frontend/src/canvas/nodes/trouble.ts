/** Parts of a node that are visible at every distance. */
import type { Issue } from "../../api/types";
import { isFresh } from "../../editor/checking/fresh";
import { flows } from "../../live/rates";
import { mergeLags } from "../../live/numbers";
import type { LiveState, NodeNumbers, SourceNumbers } from "../../live/state";

/** The share of the workers' time that a node takes, in twentieths. Coarse values cause few redraws. */
export function countBusyTwentieths(state: LiveState | null, id: string): number {
  if (state === null || !flows(state)) return 0;
  return Math.round((state.numbers?.nodes[id]?.busy ?? 0) * 20);
}

export type Trouble = "bad" | "warn" | "";

/** "bad" for failed records or a loud problem. "warn" for dropped records, rising lag or missing settings. */
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
