/** Breaks a long layout into rows, as text breaks into lines, so that it fills a window at a readable size. */
import type { GraphEdge } from "../../api/types";
import type { Position } from "../document/document";
import { NODE } from "./places";

interface Room {
  readonly width: number;
  readonly height: number;
}

/** A node of a layout from left to right. */
interface Place extends Position {
  readonly id: string;
  readonly height: number;
}

/** A layout that fits at this zoom is not broken. */
const READABLE = 0.9;
/** Between rows, where the edges to the next row run. */
const GAP = 72;
const MAX_ROWS = 8;
const GRID = 8;

/** The places in the rows that let the most be read. With one row, they are unchanged. */
export function wrap(
  places: ReadonlyMap<string, Position>,
  heights: ReadonlyMap<string, number>,
  edges: readonly Pick<GraphEdge, "source" | "target">[],
  room: Room,
): ReadonlyMap<string, Position> {
  const nodes = [...places].map(([id, place]): Place => ({ id, ...place, height: heights.get(id) ?? NODE.height }));
  const columns = findColumns(nodes);
  let best = { places, zoom: measureZoom(nodes, room) };
  for (let rows = 2; rows <= Math.min(MAX_ROWS, columns.length) && best.zoom < READABLE; rows += 1) {
    const wrapped = stack(breakColumns(columns, edges, rows));
    const zoom = measureZoom(wrapped, room);
    if (zoom > best.zoom) best = { places: new Map(wrapped.map(({ id, x, y }) => [id, { x, y }])), zoom };
  }
  return best.places;
}

function measureZoom(nodes: readonly Place[], room: Room): number {
  const width = Math.max(...nodes.map(({ x }) => x + NODE.width)) - Math.min(...nodes.map(({ x }) => x));
  const height = Math.max(...nodes.map(({ y, height }) => y + height)) - Math.min(...nodes.map(({ y }) => y));
  return Math.min(room.width / width, room.height / height);
}

/** The nodes that stand below each other, from left to right. */
function findColumns(nodes: readonly Place[]): readonly (readonly Place[])[] {
  const columns: Place[][] = [];
  let right = -Infinity;
  for (const node of nodes.toSorted((one, other) => one.x - other.x)) {
    if (node.x >= right) columns.push([]);
    columns.at(-1)?.push(node);
    right = Math.max(right, node.x + NODE.width);
  }
  return columns;
}

/** Rows of about as many columns, broken where the fewest edges cross. */
function breakColumns(
  columns: readonly (readonly Place[])[],
  edges: readonly Pick<GraphEdge, "source" | "target">[],
  rows: number,
): readonly (readonly Place[])[] {
  const columnOf = new Map(columns.flatMap((column, index) => column.map(({ id }) => [id, index] as const)));
  const crossings = (at: number) =>
    edges.filter(({ source, target }) => (columnOf.get(source) ?? 0) < at && (columnOf.get(target) ?? 0) >= at).length;
  const length = columns.length / rows;
  const breaks = [0];
  for (let row = 1; row < rows; row += 1) {
    const wanted = Math.round(row * length);
    const near = [wanted, wanted - 1, wanted + 1].filter((at) => at > (breaks.at(-1) ?? 0) && at < columns.length);
    const [best] = near.toSorted((one, other) => crossings(one) - crossings(other));
    if (best !== undefined) breaks.push(best);
  }
  return breaks.map((from, index) => columns.slice(from, breaks[index + 1]).flat());
}

/** Rows below each other, each from the left. */
function stack(rows: readonly (readonly Place[])[]): readonly Place[] {
  let top = 0;
  return rows.flatMap((row) => {
    const left = Math.min(...row.map(({ x }) => x));
    const first = Math.min(...row.map(({ y }) => y));
    const moved = row.map((node) => ({ ...node, x: node.x - left, y: node.y - first + top }));
    top = Math.ceil((Math.max(...moved.map(({ y, height }) => y + height)) + GAP) / GRID) * GRID;
    return moved;
  });
}
