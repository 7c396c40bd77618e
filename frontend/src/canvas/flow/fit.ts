/** How to bring everything into view: with a margin, and at most at reading size. */

/** The smallest zoom with legible names. */
export const LEGIBLE = 0.6;
const MAX_ZOOM = 1.1;
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

/** The view of everything. */
export function fitView(all: Rect, screen: Pick<Rect, "width" | "height">): View {
  return centre(all, null, screen, Math.max(MIN_ZOOM, fitZoom(all, screen)));
}

/** The first view: everything. If that is too small to read: the part around `selection`, else the graph's start. */
export function openView(all: Rect, selection: Rect | null, screen: Pick<Rect, "width" | "height">): View {
  return centre(all, selection, screen, Math.max(LEGIBLE, fitZoom(all, screen)));
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
