/** Lanes of edges: the height at which a line passes above or below a node instead of behind it. */
import type { Graph, GraphEdge } from "../../api/types";
import { BACK, listPoints, TURN, type Ends, type Lane } from "../graph/paths";
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

/** A straight part of the lines that leave one port: the height of a level one, or the x of an upright one. */
interface Stretch {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly port: string;
}

/** The minimum distance of a line from a node, and of two lanes. */
const AIR = 5;
/** Distances of lanes from a node's edge: the middle between two nodes comes first. */
const ASIDE = [16, 24, 8, 36, 48, 60, 72, 84, 96] as const;
/** Distances from its nodes at which a line back to the left may turn up or down. They fit between two columns. */
const TURNS = [BACK, 26, 14, 32, 38, 8] as const;

type Lanes = ReadonlyMap<string, Lane>;

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
  const boxes = graph.nodes
    .map(({ id, position: { x, y } }): Box => {
      const height = shapes.get(id)?.height ?? NODE.height;
      return { id, x, y, right: x + NODE.width, bottom: y + height };
    })
    .toSorted((one, other) => one.y - other.y);
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const lanes = new Map<string, Lane>();
  const levels: Stretch[] = [];
  const uprights: Stretch[] = [];
  for (const edge of graph.edges) {
    const ends = findEnds(edge, byId, shapes);
    if (ends === null || (ends.x2 >= ends.x1 && ends.x2 - ends.x1 < 2 * TURN)) continue;
    const isBack = ends.x2 < ends.x1;
    const [from, to] = isBack ? [ends.x2 - BACK, ends.x1 + BACK] : [ends.x1, ends.x2];
    const between = boxes.filter(({ x, right }) => right > from && x < to);
    const port = `${edge.source}.${edge.source_port}`;
    const isFree = (y: number) => isApart({ at: y, from, to, port }, levels);
    const y = (isBack ? findBackLane : findLane)(ends, between, isFree);
    if (y === null) continue;
    levels.push({ at: y, from, to, port });
    const turn = isBack ? findTurn(ends, y, port, uprights) : BACK;
    if (isBack) uprights.push(...listUprights(ends, { y, turn }, port));
    lanes.set(makeEdgeKey(edge), { y, turn });
  }
  return lanes;
}

/** Where a line back to the left turns up or down, apart from others if there is room. */
function findTurn(ends: Ends, y: number, port: string, uprights: readonly Stretch[]): number {
  const isFree = (turn: number) => listUprights(ends, { y, turn }, port).every((one) => isApart(one, uprights));
  return TURNS.find(isFree) ?? BACK;
}

function listUprights({ x1, y1, x2, y2 }: Ends, { y, turn }: Lane, port: string): readonly Stretch[] {
  return [
    { at: x1 + turn, from: Math.min(y1, y), to: Math.max(y1, y), port },
    { at: x2 - turn, from: Math.min(y, y2), to: Math.max(y, y2), port },
  ];
}

/** Whether a stretch can be told apart from those of other ports. */
function isApart({ at, from, to, port }: Stretch, others: readonly Stretch[]): boolean {
  return others.every(
    (other) => other.port === port || other.to <= from || other.from >= to || Math.abs(other.at - at) > AIR,
  );
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
  const nearest = listHeights(between, AIR, [ends.y1, ends.y2]).toSorted(
    (one, other) => bend(one, ends) - bend(other, ends),
  );
  // a height between all nodes is clear but for the curves at its ends
  const near = between.filter(({ x, right }) => x < ends.x1 + TURN || right > ends.x2 - TURN);
  return nearest.find((y) => isFree(y) && !hits(ends, y, near)) ?? null;
}

/** The free lane of an edge back to the left that is nearest to the middle of its ends. Null if there is none. */
function findBackLane(ends: Ends, between: readonly Box[], isFree: (y: number) => boolean): number | null {
  const middle = (ends.y1 + ends.y2) / 2;
  const rank = (y: number) => bend(y, ends) + Math.abs(y - middle);
  const findWith = (air: number) =>
    listHeights(between, air, [middle])
      .toSorted((one, other) => rank(one) - rank(other))
      .find(isFree);
  return findWith(ASIDE[0]) ?? findWith(AIR) ?? null;
}

/** Heights with so much air to all boxes, which are sorted by `y`: the wanted ones, and those along the boxes. */
function listHeights(boxes: readonly Box[], air: number, wanted: readonly number[]): readonly number[] {
  const gaps: [from: number, to: number][] = [];
  let from = -Infinity;
  for (const { y, bottom } of boxes) {
    if (from <= y - air) gaps.push([from, y - air]);
    from = Math.max(from, bottom + air);
  }
  gaps.push([from, Infinity]);
  return gaps.flatMap(([from, to]) => {
    const along = ASIDE.filter((by) => by >= air).flatMap((by) => [from + by - air, to - by + air]);
    return [...wanted, ...along].filter((y) => Number.isFinite(y) && y >= from && y <= to);
  });
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
