/** How to bring everything into view: with a margin, at most at reading size, and never too small to read. */

/** The smallest zoom with legible names. */
export const LEGIBLE = 0.6;
const MAX_ZOOM = 1.1;
const AIR = 0.1;
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

/** The view of everything. If that is too small to read: the part around `selection`, else the graph's start. */
export function fitView(all: Rect, selection: Rect | null, screen: Pick<Rect, "width" | "height">): View {
  const whole = Math.min(screen.width / all.width, screen.height / all.height) * (1 - AIR);
  const zoom = Math.max(LEGIBLE, Math.min(MAX_ZOOM, whole));
  const along = (axis: "x" | "y", size: "width" | "height") => {
    const [start, length, room] = [all[axis] * zoom, all[size] * zoom, screen[size]];
    if (length <= room) return (room - length) / 2 - start;
    const offset = selection === null ? EDGE - start : room / 2 - (selection[axis] + selection[size] / 2) * zoom;
    return Math.min(EDGE - start, Math.max(room - EDGE - start - length, offset));
  };
  return { x: along("x", "width"), y: along("y", "height"), zoom };
}
