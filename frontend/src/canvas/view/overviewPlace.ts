/** The place of the overview: a corner where it covers no node and no control. */
import { meets, type Rect } from "../../editor/layout/rects";

export type Corner = "bottom-right" | "top-right" | "top-left";

/** The overview with its margin. On the right, the canvas controls are below it. At the top, the legend is above it. */
const SIZE = { width: 230, height: 180 };
const CONTROLS = 48;
const LEGEND = 28;
/** The sample feed's panel stands at the left below: a narrower canvas has no room beside it. */
const PANEL = 330;

/** Null if each corner has a node. `nodes` and `screen` are in pixels of the screen. */
export function findFreeCorner(nodes: readonly Rect[], screen: Pick<Rect, "width" | "height">): Corner | null {
  const right = screen.width - SIZE.width;
  const isNarrow = right < PANEL;
  const corners: readonly (readonly [Corner, number, number])[] = [
    ["bottom-right", right, screen.height - SIZE.height - CONTROLS],
    ["top-right", right, LEGEND],
    ["top-left", 0, LEGEND],
  ];
  const free = corners
    .slice(isNarrow ? 1 : 0)
    .find(([, left, top]) => !nodes.some((node) => meets(node, { ...SIZE, x: left, y: top })));
  return free?.[0] ?? null;
}

/** Whether a part of a node lies outside the screen. */
export function isBeyond({ x, y, width, height }: Rect, screen: Pick<Rect, "width" | "height">): boolean {
  return x < 0 || y < 0 || x + width > screen.width || y + height > screen.height;
}
