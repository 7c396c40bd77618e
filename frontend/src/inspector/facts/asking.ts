/** The node for which the user asks why nothing comes out: from its inspector, or from the menu on the canvas. */
import { create } from "zustand";
import { flows } from "../../live/rates";
import type { LiveState } from "../../live/state";
import { fold, useSides } from "../../editor/interface/sides";

export const WHY = "Why is nothing coming out?";

/** `times` counts, so that users can ask again. */
export const useAsking = create<{ readonly node: string | null; readonly times: number }>()(() => ({
  node: null,
  times: 0,
}));

/** Nodes of another topology may have the same name. */
export function forgetQuestion(): void {
  useAsking.setState({ node: null });
}

/** Whether nothing comes out of a node while its job runs. A node that is not part of the run does not count. */
export function givesNothing(state: LiveState | null, node: string | undefined): boolean {
  return node !== undefined && state !== null && flows(state) && state.numbers?.nodes[node]?.out_rate === 0;
}

/**
 * Whether to offer that question unasked: not before the first batch ends, and not about a node that gave records and
 * gets none any more, which has none to give.
 */
export function lacksResults(state: LiveState | null, node: string): boolean {
  const numbers = state?.numbers?.nodes[node];
  if (numbers === undefined || state?.numbers?.batch.number == null) return false;
  return givesNothing(state, node) && (numbers.out === 0 || numbers.rate > 0);
}

/** Asks about a node, and shows the answer in the inspector. */
export function askWhy(node: string): void {
  if (useSides.getState().inspector === 0) fold("inspector", false);
  useAsking.setState(({ times }) => ({ node, times: times + 1 }));
}
