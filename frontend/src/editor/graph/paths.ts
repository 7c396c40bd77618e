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

/** Distance from its nodes at which a line back to the left turns up or down, if no other line does so there. */
export const BACK = 20;
const RADIUS = 12;

/** Where a line passes the nodes between its ends. */
export interface Lane {
  readonly y: number;
  /** Distance from its nodes at which a line back to the left turns up or down. */
  readonly turn: number;
}

/** A line from the right of a node to the left of the next: one curve, along a lane, or back around its nodes. */
export function drawLine(ends: Ends, lane: Lane | null): Line {
  const { x1, y1, x2, y2 } = ends;
  if (x2 < x1) return drawBackLine(ends, lane ?? { y: (y1 + y2) / 2, turn: BACK });
  if (lane !== null && x2 - x1 >= 2 * TURN) {
    const [from, to, half, y] = [x1 + TURN, x2 - TURN, TURN / 2, lane.y];
    const d =
      `M${x1},${y1}C${x1 + half},${y1} ${x1 + half},${y} ${from},${y}` +
      `H${to}C${x2 - half},${y} ${x2 - half},${y2} ${x2},${y2}`;
    return { d, middle: { x: (from + to) / 2, y } };
  }
  const half = (x2 - x1) / 2;
  const d = `M${x1},${y1}C${x1 + half},${y1} ${x2 - half},${y2} ${x2},${y2}`;
  return { d, middle: { x: x1 + half, y: (y1 + y2) / 2 } };
}

/** Out to the right, up or down to the lane, back along it, and from the left into the node, with round corners. */
function drawBackLine({ x1, y1, x2, y2 }: Ends, { y, turn }: Lane): Line {
  const [right, left] = [x1 + turn, x2 - turn];
  const out = Math.min(RADIUS, turn, Math.abs(y - y1) / 2);
  const into = Math.min(RADIUS, turn, Math.abs(y2 - y) / 2);
  const [to, on] = [Math.sign(y - y1) * out, Math.sign(y2 - y) * into];
  const d =
    `M${x1},${y1}H${right - out}Q${right},${y1} ${right},${y1 + to}V${y - to}Q${right},${y} ${right - out},${y}` +
    `H${left + into}Q${left},${y} ${left},${y + on}V${y2 - on}Q${left},${y2} ${left + into},${y2}H${x2}`;
  return { d, middle: { x: (right + left) / 2, y } };
}

/** Points along a line forward, close enough to find anything under it. */
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
