import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Elk from "elkjs/lib/elk.bundled.js";
import { describe, expect, it } from "vitest";
import type { Graph, GraphEdge, GraphNode } from "../../api/types";
import { listPoints, type Point } from "../graph/paths";
import { NODE } from "./places";
import { makeRules } from "../edges/connecting";
import { makeEdgeKey, move } from "../document/document";
import { findEnds, findLanes } from "./lanes";
import { edge, node } from "../samples";
import { findShapes } from "./shape";
import { makeQuestion, readPlaces } from "./tidy";

const ROOT = join(import.meta.dirname, "../../../..");
const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), "utf8"));
const { rules } = read("tests/designer/checks/wiring.json") as { rules: Parameters<typeof makeRules>[0] };
const { operators } = makeRules(rules);

interface Look {
  readonly overlaps: number;
  readonly backward: readonly string[];
  readonly behind: readonly string[];
  readonly crossings: number;
}

/** What someone sees of a graph after Tidy. */
async function lookAt(graph: Graph): Promise<Look> {
  const shapes = findShapes(graph, operators);
  const places = readPlaces(await new Elk().layout(makeQuestion(graph, shapes)));
  const tidied = move(places)({ graph, schemas: {} }).graph;
  const lanes = findLanes(tidied, shapes);
  const boxes = new Map(
    tidied.nodes.map(({ id, position }) => [id, { ...position, height: shapes.get(id)?.height ?? NODE.height }]),
  );
  const lines = tidied.edges.flatMap((one) => {
    const ends = findEnds(one, boxes, shapes);
    const key = makeEdgeKey(one);
    return ends === null ? [] : [{ key, ends, points: listPoints(ends, lanes.get(key)?.y ?? null) }];
  });
  const isOver = ({ x, y }: Point) =>
    [...boxes.values()].some(
      (box) => x > box.x && x < box.x + NODE.width && y > box.y && y < box.y + box.height,
    );
  const all = [...boxes.values()];
  const overlap = (one: (typeof all)[number], other: (typeof all)[number]) =>
    Math.abs(one.x - other.x) < NODE.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height;
  return {
    overlaps: all.filter((box, at) => all.slice(at + 1).some((other) => overlap(box, other))).length,
    backward: lines.filter(({ ends }) => ends.x2 < ends.x1).map(({ key }) => key),
    behind: lines.filter(({ points }) => points.slice(1, -1).some(isOver)).map(({ key }) => key),
    crossings: countCrossings(lines.map(({ points }) => points)),
  };
}

function countCrossings(lines: readonly (readonly Point[])[]): number {
  const side = (a: Point, b: Point, c: Point) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const cross = (a: Point, b: Point, c: Point, d: Point) =>
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  const spans = (line: readonly Point[], axis: "x" | "y") => {
    const values = line.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const boxes = new Map(lines.map((line) => [line, [spans(line, "x"), spans(line, "y")] as const]));
  const isNear = (one: readonly Point[], other: readonly Point[]) =>
    [0, 1].every((axis) => {
      const [a, b] = [boxes.get(one)?.[axis], boxes.get(other)?.[axis]];
      return a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];
    });
  const pieces = (line: readonly Point[]) => line.slice(1).map((to, at) => [line[at] ?? to, to] as const);
  const meet = (one: readonly Point[], other: readonly Point[]) =>
    isNear(one, other) && pieces(one).some(([a, b]) => pieces(other).some(([c, d]) => cross(a, b, c, d)));
  return lines.reduce((sum, line, at) => sum + lines.slice(at + 1).filter((other) => meet(line, other)).length, 0);
}

const CLEAN = { overlaps: 0, backward: [], behind: [] };
const FILES = globSync("runner/demo/**/*.json", { cwd: ROOT }).sort();

describe("Tidy lays out every application of the gallery", () => {
  it.each(FILES)("%s", async (file) => {
    const { graph } = read(file) as { graph: Graph };

    const { crossings, ...look } = await lookAt(graph);

    expect(look).toEqual(CLEAN);
    // streams that feed the same two joins cross in any graph from left to right
    expect(crossings).toBeLessThanOrEqual(basename(file) === "e18-joins.json" ? 2 : 0);
  });
});

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const filter = (id: string): GraphNode => node(id, "filter");
const wire = (from: string, to: string, port = "stream"): GraphEdge => ({
  ...edge(`${from} ${to}`, port),
  source_port: "result",
});

/** Every node but the first is fed by one before it. */
function tree(size: number, seed: number): Graph {
  const next = random(seed);
  const nodes = Array.from({ length: size }, (_, at) => filter(`n${at}`));
  const edges = nodes.slice(1).map(({ id }, at) => wire(`n${Math.floor(Math.max(0, at - next() * 8))}`, id));
  return { nodes, edges };
}

/** Streams that are filtered, branch, and are joined again with what came before, near or far. */
function weave(size: number, seed: number): Graph {
  const next = random(seed);
  const nodes: GraphNode[] = [node("n0", "stream"), node("n1", "stream")];
  const edges: GraphEdge[] = [];
  for (let at = 2; at < size; at += 1) {
    const before = () => `n${Math.floor(Math.max(0, at - 1 - next() ** 2 * 20))}`;
    const [one, other] = [before(), before()];
    if (next() < 0.25 && one !== other) {
      nodes.push(node(`n${at}`, "join"));
      edges.push(wire(one, `n${at}`, "left"), wire(other, `n${at}`, "right"));
    } else {
      nodes.push(filter(`n${at}`));
      edges.push(wire(one, `n${at}`));
    }
  }
  return { nodes, edges };
}

const SIZES = [5, 30, 120, 500];

it.each(SIZES)("Tidy lays out a tree of %i nodes without a crossing", async (size) => {
  expect(await lookAt(tree(size, size))).toEqual({ ...CLEAN, crossings: 0 });
}, 60_000);

it.each(SIZES)("Tidy lays out a weave of %i nodes with no edge backwards or behind a node", async (size) => {
  const { crossings: _, ...look } = await lookAt(weave(size, size));
  expect(look).toEqual(CLEAN);
}, 60_000);
