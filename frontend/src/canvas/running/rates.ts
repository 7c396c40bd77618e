/** How much flows through an edge, as numbers and as a width. */
import type { GraphEdge } from "../../api/types";
import { findEdgeRate, flows } from "../../live/rates";
import type { LiveState } from "../../live/state";

export function readEdgeRate(state: LiveState | null, edge: GraphEdge | undefined, isOnlyInput: boolean): number {
  if (state === null || edge === undefined || !flows(state)) return 0;
  return findEdgeRate(state.numbers?.nodes, edge, isOnlyInput);
}

const WIDTHS = [4, 7, 10, 14, 19];

/** The width of a flow (px), 0 for nothing. One step for each power of ten: an edge is seldom redrawn. */
export function findWidth(rate: number): number {
  if (rate <= 0) return 0;
  const power = Math.floor(Math.log10(Math.max(1, rate)));
  return WIDTHS[Math.min(power, WIDTHS.length - 1)] ?? 0;
}
