/** Lining up nodes and spacing them evenly. */
import type { Position } from "./document";

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
export function aligned(boxes: readonly Box[], line: Line): Places {
  const { at, size, across, thickness } = AXES[line];
  const [first, ...others] = inOrder(boxes, line);
  if (first === undefined) return new Map();
  const middle = first[across] + first[thickness] / 2;
  const placed = [first];
  for (const box of others) {
    const before = placed.at(-1) ?? first;
    const along = Math.max(box[at], before[at] + before[size] + AIR);
    placed.push({ ...box, [at]: along, [across]: middle - box[thickness] / 2 });
  }
  return placesOf(placed);
}

/** The same room between each two. The first stays, and the last where there is room enough. */
export function distributed(boxes: readonly Box[], line: Line): Places {
  const { at, size } = AXES[line];
  const ordered = inOrder(boxes, line);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const room = last[at] + last[size] - first[at] - ordered.reduce((sum, box) => sum + box[size], 0);
  const air = Math.max(AIR, room / Math.max(1, ordered.length - 1));
  let next = first[at];
  return placesOf(
    ordered.map((box) => {
      const placed = { ...box, [at]: next };
      next += box[size] + air;
      return placed;
    }),
  );
}

function inOrder(boxes: readonly Box[], line: Line): readonly Box[] {
  const { at } = AXES[line];
  return boxes.toSorted((one, other) => one[at] - other[at]);
}

function placesOf(boxes: readonly Box[]): Places {
  return new Map(boxes.map(({ id, x, y }) => [id, { x, y }]));
}
