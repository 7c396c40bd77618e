/** How to bring everything into view: with a margin, and at most at reading size. */

/** The smallest zoom at which a node can be read: its letters are 11 pixels high there (OperatorNode.css). */
export const LEGIBLE = 0.58;
/** The zoom for what is too large to be legible as a whole. A little less or more cuts through fewer nodes. */
const READABLE = 0.9;
const NEARLY_READABLE = Array.from({ length: 41 }, (_, step) => 0.75 + step / 100).toSorted(
  (one, other) => Math.abs(one - READABLE) - Math.abs(other - READABLE),
);
const MAX_ZOOM = 1.1;
/** The rim of the screen, with the buttons that fold its panels, in pixels. */
const RIM = 16;
const AIR = 0.06;
/** The smallest zoom of the canvas. */
const MIN_ZOOM = 0.1;
/** Margin around a partial view, in pixels of the screen. */
const EDGE = 48;

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Whether two rectangles overlap. */
export function meets(one: Rect, other: Rect): boolean {
  const isAcross = one.x < other.x + other.width && other.x < one.x + one.width;
  return isAcross && one.y < other.y + other.height && other.y < one.y + one.height;
}

/** The view of everything. */
export function fitView(all: Rect, screen: Pick<Rect, "width" | "height">): View {
  return centre(all, null, screen, Math.max(MIN_ZOOM, fitZoom(all, screen)));
}

/**
 * The view of everything, if that is legible. Else the part around `selection` at the present zoom, or the graph's
 * start, at a zoom at which the edge of the screen cuts through as few nodes as possible.
 */
export function openView(
  nodes: readonly Rect[],
  selection: Rect | null,
  screen: Pick<Rect, "width" | "height">,
  zoom = READABLE,
): View {
  const all = bound(nodes);
  const whole = fitZoom(all, screen);
  if (whole >= LEGIBLE) return centre(all, null, screen, whole);
  if (selection !== null) return centre(all, selection, screen, Math.max(LEGIBLE, Math.min(READABLE, zoom)));
  const views = NEARLY_READABLE.map((near) => centre(all, null, screen, near));
  const cuts = views.map((view) => nodes.filter((node) => isCut(node, view, screen)).length);
  return views[cuts.indexOf(Math.min(...cuts))] ?? centre(all, null, screen, READABLE);
}

/** Whether a screen shows one part of a node and not the other. */
function isCut({ x, y, width, height }: Rect, view: View, screen: Pick<Rect, "width" | "height">): boolean {
  const parts = (start: number, length: number, offset: number, room: number) => {
    const [from, to] = [start * view.zoom + offset, (start + length) * view.zoom + offset];
    return { isSeen: from < room && to > 0, isWhole: from >= 0 && to <= room - RIM };
  };
  const across = parts(x, width, view.x, screen.width);
  const down = parts(y, height, view.y, screen.height);
  return across.isSeen && down.isSeen && !(across.isWhole && down.isWhole);
}

/** The smallest rectangle around some. */
export function bound(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}

function fitZoom(all: Rect, screen: Pick<Rect, "width" | "height">): number {
  return Math.min(MAX_ZOOM, Math.min(screen.width / all.width, screen.height / all.height) * (1 - AIR));
}

function centre(all: Rect, selection: Rect | null, screen: Pick<Rect, "width" | "height">, zoom: number): View {
  const along = (axis: "x" | "y", size: "width" | "height") => {
    const [start, length, room] = [all[axis] * zoom, all[size] * zoom, screen[size]];
    if (length <= room) return (room - length) / 2 - start;
    const offset = selection === null ? EDGE - start : room / 2 - (selection[axis] + selection[size] / 2) * zoom;
    return Math.min(EDGE - start, Math.max(room - EDGE - start - length, offset));
  };
  return { x: along("x", "width"), y: along("y", "height"), zoom };
}
