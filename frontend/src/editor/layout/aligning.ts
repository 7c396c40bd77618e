/** Lining up nodes, spacing them evenly, and the lines they snap to while they are dragged. */
import type { Position } from "../document/document";

export interface Box extends Position {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export type Line = "row" | "column";
type Places = ReadonlyMap<string, Position>;

/** What a line runs along, and what all in it share. */
const AXES = {
  row: { at: "x", size: "width", across: "y", thickness: "height" },
  column: { at: "y", size: "height", across: "x", thickness: "width" },
} as const;
/** The least between two nodes of a line, in pixels at zoom 1. */
const AIR = 32;

/** In a line with the first, which stays where it is. Those that would lie over the one before step behind it. */
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

/** The same room between each two. The first stays, and the last where there is room enough. */
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

/** A line through the middles of a node that is dragged and of one that stands. */
export interface Guide {
  readonly line: Line;
  /** How far the dragged nodes are from it. */
  readonly by: number;
  /** Where it runs, and from where to where along it. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Half a step of the grid: from the nearest place on the grid each middle is reached. */
const REACH = 4;

/** The nearest line to which dragged nodes may snap, to the nearest of the nodes that share it. */
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
