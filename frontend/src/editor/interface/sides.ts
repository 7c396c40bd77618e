/** Width of the panels beside the canvas in px, 0 if folded. This browser remembers it. */
import { create } from "zustand";
import { limitSize, readSize, saveSize, type Limits } from "../../ui/browser/sizes";

export type Side = "palette" | "inspector";

const FIRST: Readonly<Record<Side, number>> = { palette: 204, inspector: 315 };
const MIN: Readonly<Record<Side, number>> = { palette: 150, inspector: 240 };
/** The maximum share of the window's width for each: the canvas keeps at least half. */
const SHARE: Readonly<Record<Side, number>> = { palette: 0.2, inspector: 0.3 };

export const useSides = create<Readonly<Record<Side, number>>>()(() => ({
  palette: readSize("palette", FIRST.palette),
  inspector: readSize("inspector", FIRST.inspector),
}));

export function findLimits(side: Side, windowWidth: number): Limits {
  return { min: MIN[side], max: Math.max(MIN[side], Math.round(windowWidth * SHARE[side])) };
}

/** Folds a panel that is dragged below half of its minimum width. */
export function limitWidth(side: Side, width: number, windowWidth: number): number {
  return width < MIN[side] / 2 ? 0 : limitSize(width, findLimits(side, windowWidth));
}

export function setWidth(side: Side, width: number): void {
  const size = limitWidth(side, width, window.innerWidth);
  useSides.setState({ [side]: size });
  saveSize(side, size);
}

export function fold(side: Side, isFolded = useSides.getState()[side] > 0): void {
  setWidth(side, isFolded ? 0 : FIRST[side]);
}

/** The columns of the editor. In a narrow window both sides shrink for the canvas. */
export function formatColumns({ palette, inspector }: Readonly<Record<Side, number>>): string {
  return `min(${palette}px, ${SHARE.palette * 100}vw) minmax(0, 1fr) min(${inspector}px, ${SHARE.inspector * 100}vw)`;
}
