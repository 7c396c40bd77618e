/** Width of the panels beside the canvas in px, 0 if folded. This browser remembers it. */
import { create } from "zustand";
import { limitSize, readSize, saveSize, type Limits } from "../../ui/browser/sizes";

export type Side = "palette" | "inspector";

const FIRST: Readonly<Record<Side, number>> = { palette: 204, inspector: 315 };
const MIN: Readonly<Record<Side, number>> = { palette: 150, inspector: 240 };
/** The maximum share of the window's width for each: the canvas keeps at least half. */
const SHARE: Readonly<Record<Side, number>> = { palette: 0.2, inspector: 0.3 };

type Sides = Readonly<Record<Side, number>> & {
  /** Whether the user wants the inspector also while nothing is selected. */
  readonly isInspectorPinned: boolean;
  /** The right part of the canvas in px that the inspector covers now. */
  readonly covered: number;
};

/** In narrower windows the panels are not shown (EditorPage.css). */
const NARROW = 1_024;

export const useSides = create<Sides>()(() => ({
  palette: readSize("palette", FIRST.palette),
  inspector: readSize("inspector", FIRST.inspector),
  isInspectorPinned: false,
  covered: 0,
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

export function fold(side: Side, isFolded = isShown(side)): void {
  setWidth(side, isFolded ? 0 : useSides.getState()[side] || FIRST[side]);
  if (side === "inspector") useSides.setState({ isInspectorPinned: !isFolded });
}

/** Opens the inspector for a while, and remembers nothing of it. Returns how to put it back. */
export function lendInspector(): () => void {
  const { inspector, isInspectorPinned } = useSides.getState();
  useSides.setState({ inspector: inspector || FIRST.inspector, isInspectorPinned: true });
  return () => useSides.setState(inspector === 0 ? { inspector, isInspectorPinned } : { isInspectorPinned });
}

/** Notes the width of the open inspector, or 0. A window too narrow to draw in has none. */
export function cover(width: number, windowWidth: number): void {
  const covered = windowWidth < NARROW ? 0 : Math.min(width, windowWidth * SHARE.inspector);
  useSides.setState({ covered });
}

function isShown(side: Side): boolean {
  const { palette, covered } = useSides.getState();
  return (side === "palette" ? palette : covered) > 0;
}

/** The width of a panel: in a narrow window it shrinks for the canvas. */
export function formatWidth(side: Side, width: number): string {
  return `min(${width}px, ${SHARE[side] * 100}vw)`;
}

/** The columns of the editor. In a narrow window both sides shrink for the canvas. */
export function formatColumns({ palette, inspector }: Readonly<Record<Side, number>>): string {
  return `${formatWidth("palette", palette)} minmax(0, 1fr) ${formatWidth("inspector", inspector)}`;
}
