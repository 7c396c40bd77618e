/** The lines of edges on the canvas: one curve, or along a lane if a curve would run behind a node. */

export interface Ends {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly d: string;
  /** The place of a number or sign on it. */
  readonly middle: Point;
}

/** Distance from a node at which a line reaches its lane: less than the room between two columns. */
export const TURN = 44;

/** Distance from its nodes at which a line back to the left turns up or down. */
export const BACK = 20;

/** A line forward, from the right of a node to the left of the next. Null without room to turn. */
export function drawForwardLine({ x1, y1, x2, y2 }: Ends, lane: number | null): Line | null {
  if (lane !== null && x2 - x1 >= 2 * TURN) {
    const [from, to, half] = [x1 + TURN, x2 - TURN, TURN / 2];
    const d =
      `M${x1},${y1}C${x1 + half},${y1} ${x1 + half},${lane} ${from},${lane}` +
      `H${to}C${x2 - half},${lane} ${x2 - half},${y2} ${x2},${y2}`;
    return { d, middle: { x: (from + to) / 2, y: lane } };
  }
  if (x2 < x1) return null;
  const half = (x2 - x1) / 2;
  const d = `M${x1},${y1}C${x1 + half},${y1} ${x2 - half},${y2} ${x2},${y2}`;
  return { d, middle: { x: x1 + half, y: (y1 + y2) / 2 } };
}

/** Points along the same line, close enough to find anything under it. */
export function listPoints(ends: Ends, lane: number | null): readonly Point[] {
  const { x1, y1, x2, y2 } = ends;
  if (lane === null || x2 - x1 < 2 * TURN) return drawCurve(ends, 32);
  const into = drawCurve({ x1, y1, x2: x1 + TURN, y2: lane }, 10);
  const out = drawCurve({ x1: x2 - TURN, y1: lane, x2, y2 }, 10);
  const [from, to] = [x1 + TURN, x2 - TURN];
  const steps = Math.max(1, Math.ceil((to - from) / 16));
  const along = Array.from({ length: steps }, (_, step) => ({ x: from + ((to - from) * step) / steps, y: lane }));
  return [...into, ...along, ...out];
}

function drawCurve({ x1, y1, x2, y2 }: Ends, steps: number): readonly Point[] {
  const half = (x2 - x1) / 2;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const [t, s] = [step / steps, 1 - step / steps];
    const [a, b, c, e] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    return { x: a * x1 + b * (x1 + half) + c * (x2 - half) + e * x2, y: (a + b) * y1 + (c + e) * y2 };
  });
}
