/** Lanes of edges: the height at which a line passes above or below a node instead of behind it. */
import type { Graph, GraphEdge } from "../../api/types";
import { BACK, listPoints, TURN, type Ends } from "../graph/paths";
import { NODE } from "./places";
import { makeEdgeKey } from "../document/document";
import { isSameShape, type Shape, type ShapePort } from "./shape";

interface Box {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly bottom: number;
}

/** A lane in use by the edges of one port. */
interface LaneUse {
  readonly y: number;
  readonly from: number;
  readonly to: number;
  readonly port: string;
}

/** The minimum distance of a line from a node, and of two lanes. */
const AIR = 5;
/** Distances of lanes from a node's edge: the middle between two nodes comes first. */
const ASIDE = [16, 24, 8, 36, 48, 60, 72, 84, 96] as const;

type Lanes = ReadonlyMap<string, number>;

interface CacheEntry {
  readonly graph: Graph;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly lanes: Lanes;
}

const cache = new WeakMap<Graph["edges"], CacheEntry>();

/** The lanes of a graph, by edge key. Cached while nothing moves, as during typing. */
export function findLanes(graph: Graph, shapes: ReadonlyMap<string, Shape>): Lanes {
  const entry = cache.get(graph.edges);
  if (entry !== undefined && standsAsBefore(entry, graph, shapes)) return entry.lanes;
  const lanes = computeLanes(graph, shapes);
  cache.set(graph.edges, { graph, shapes, lanes });
  return lanes;
}

function standsAsBefore(before: CacheEntry, { nodes }: Graph, shapes: ReadonlyMap<string, Shape>): boolean {
  const { nodes: nodesBefore } = before.graph;
  return (
    nodes.length === nodesBefore.length &&
    nodes.every(({ id, position }, index) => {
      const [old, now] = [before.shapes.get(id), shapes.get(id)];
      const isThere = nodesBefore[index]?.id === id && nodesBefore[index].position === position;
      return isThere && old !== undefined && now !== undefined && isSameShape(old, now);
    })
  );
}

function computeLanes(graph: Graph, shapes: ReadonlyMap<string, Shape>): Lanes {
  const boxes = graph.nodes.map(({ id, position: { x, y } }): Box => {
    const height = shapes.get(id)?.height ?? NODE.height;
    return { id, x, y, right: x + NODE.width, bottom: y + height };
  });
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const lanes = new Map<string, number>();
  const uses: LaneUse[] = [];
  for (const edge of graph.edges) {
    const ends = findEnds(edge, byId, shapes);
    if (ends === null || (ends.x2 >= ends.x1 && ends.x2 - ends.x1 < 2 * TURN)) continue;
    const [from, to] = ends.x2 < ends.x1 ? [ends.x2 - BACK, ends.x1 + BACK] : [ends.x1, ends.x2];
    const between = boxes.filter(({ x, right }) => right > from && x < to);
    const port = `${edge.source}.${edge.source_port}`;
    const isFree = (y: number) =>
      uses.every((use) => use.port === port || use.to <= from || use.from >= to || Math.abs(use.y - y) > AIR);
    const lane = (ends.x2 < ends.x1 ? findBackLane : findLane)(ends, between, isFree);
    if (lane === null) continue;
    lanes.set(makeEdgeKey(edge), lane);
    uses.push({ y: lane, from, to, port });
  }
  return lanes;
}

/** Where an edge leaves and enters, or null if one of its nodes is missing. */
export function findEnds(
  { source, source_port, target, target_port }: GraphEdge,
  boxes: ReadonlyMap<string, Pick<Box, "x" | "y">>,
  shapes: ReadonlyMap<string, Shape>,
): Ends | null {
  const [from, to] = [boxes.get(source), boxes.get(target)];
  if (from === undefined || to === undefined) return null;
  const y1 = from.y + measureDepth(shapes.get(source), "outputs", source_port);
  const y2 = to.y + measureDepth(shapes.get(target), "inputs", target_port);
  return { x1: from.x + NODE.width, y1, x2: to.x, y2 };
}

/** The nearest free lane. Null if the edge needs none or there is none. */
function findLane(ends: Ends, between: readonly Box[], isFree: (y: number) => boolean): number | null {
  if (!hits(ends, null, between)) return null;
  const candidates = [ends.y1, ends.y2, ...listAsides(between)];
  const nearest = candidates.toSorted((one, other) => bend(one, ends) - bend(other, ends));
  return nearest.find((y) => isFree(y) && !hits(ends, y, between)) ?? null;
}

/** The free lane of an edge back to the left that is nearest to the middle of its ends. Null if there is none. */
function findBackLane(ends: Ends, between: readonly Box[], isFree: (y: number) => boolean): number | null {
  const middle = (ends.y1 + ends.y2) / 2;
  const rank = (y: number) => bend(y, ends) + Math.abs(y - middle);
  const nearest = [middle, ...listAsides(between)].toSorted((one, other) => rank(one) - rank(other));
  const findWith = (air: number) =>
    nearest.find((y) => isFree(y) && between.every((box) => y <= box.y - air || y >= box.bottom + air));
  return findWith(ASIDE[0]) ?? findWith(AIR) ?? null;
}

/** The heights of lanes above and below some nodes. */
function listAsides(boxes: readonly Box[]): readonly number[] {
  return boxes.flatMap(({ y, bottom }) => ASIDE.flatMap((by) => [y - by, bottom + by]));
}

/** How far a line goes up and down on its way along a lane. */
function bend(lane: number, { y1, y2 }: Ends): number {
  return Math.abs(lane - y1) + Math.abs(lane - y2);
}

function hits(ends: Ends, lane: number | null, boxes: readonly Box[]): boolean {
  const points = listPoints(ends, lane);
  return boxes.some(({ x, y, right, bottom }) =>
    points.some((point) => point.x > x && point.x < right && point.y > y - AIR && point.y < bottom + AIR),
  );
}

/** The distance of a port from its node's top. */
function measureDepth(shape: Shape | undefined, side: "inputs" | "outputs", name: string): number {
  const ports: readonly ShapePort[] = shape?.[side] ?? [];
  return (shape?.height ?? NODE.height) * (ports.find((port) => port.name === name)?.at ?? 0.5);
}
