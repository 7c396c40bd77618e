/** Aligns nodes, spaces them evenly, and finds the lines to which they snap during a drag. */
import type { Position } from "../document/document";

export interface Box extends Position {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export type Line = "row" | "column";
type Places = ReadonlyMap<string, Position>;

/** The axis of a line, and the shared coordinate of its nodes. */
const AXES = {
  row: { at: "x", size: "width", across: "y", thickness: "height" },
  column: { at: "y", size: "height", across: "x", thickness: "width" },
} as const;
/** The minimum distance of two nodes in a line, in pixels at zoom 1. */
const AIR = 32;

/** Aligns with the first, which does not move. Nodes that would overlap the one before move behind it. */
export function align(boxes: readonly Box[], line: Line): Places {
  const { at, size, across, thickness } = AXES[line];
  const [first, ...others] = sortAlong(boxes, line);
  if (first === undefined) return new Map();
  const middle = first[across] + first[thickness] / 2;
  const sequence = [first];
  for (const box of others) {
    const before = sequence.at(-1) ?? first;
    const along = Math.max(box[at], before[at] + before[size] + AIR);
    sequence.push({ ...box, [at]: along, [across]: middle - box[thickness] / 2 });
  }
  return readPlaces(sequence);
}

/** Equal space between neighbours. The first stays, and the last if there is enough room. */
export function distribute(boxes: readonly Box[], line: Line): Places {
  const { at, size } = AXES[line];
  const sequence = sortAlong(boxes, line);
  const [first, last] = [sequence[0], sequence.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const room = last[at] + last[size] - first[at] - sequence.reduce((sum, box) => sum + box[size], 0);
  const air = Math.max(AIR, room / Math.max(1, sequence.length - 1));
  let next = first[at];
  return readPlaces(
    sequence.map((box) => {
      const copy = { ...box, [at]: next };
      next += box[size] + air;
      return copy;
    }),
  );
}

/** A line through the middles of a dragged and a resting node. */
export interface Guide {
  readonly line: Line;
  /** Distance of the dragged nodes from it. */
  readonly by: number;
  /** Its position, and its start and end. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Half a step of the grid: each middle is at most this far from a place on the grid. */
const REACH = 4;

/** The nearest line to which dragged nodes may snap, drawn to the nearest node on it. */
export function findGuide(moving: readonly Box[], still: readonly Box[], line: Line): Guide | null {
  const { at, size, across, thickness } = AXES[line];
  const middle = (box: Box) => box[across] + box[thickness] / 2;
  let best: Guide | null = null;
  for (const one of moving) {
    for (const other of still) {
      const by = middle(other) - middle(one);
      if (Math.abs(by) > REACH) continue;
      const from = Math.min(one[at], other[at]);
      const to = Math.max(one[at] + one[size], other[at] + other[size]);
      const nearer = best === null ? -1 : Math.abs(by) - Math.abs(best.by) || to - from - (best.to - best.from);
      if (nearer < 0) best = { line, by, at: middle(other), from, to };
    }
  }
  return best;
}

function sortAlong(boxes: readonly Box[], line: Line): readonly Box[] {
  const { at } = AXES[line];
  return boxes.toSorted((one, other) => one[at] - other[at]);
}

function readPlaces(boxes: readonly Box[]): Places {
  return new Map(boxes.map(({ id, x, y }) => [id, { x, y }]));
}
