/** One-click layout: left to right, branches in the order of their ports. No edge runs back, whatever its length. */
import type { ElkNode, ElkPort, LayoutOptions } from "elkjs";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import type { Graph } from "../../api/types";
import { NODE } from "./places";
import type { Position } from "../document/document";

/** The drawn size of a node, and the places of its ports as fractions of its height from the top. */
interface Shape {
  readonly height: number;
  readonly inputs: readonly ShapePort[];
  readonly outputs: readonly ShapePort[];
}

interface ShapePort {
  readonly name: string;
  readonly at: number;
}

const OPTIONS: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.spacing.nodeNode": "32",
  "elk.layered.spacing.nodeNodeBetweenLayers": "56",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
};
const GRID = 8;

/** The new place of each node. */
export async function tidy(graph: Graph, shapes: ReadonlyMap<string, Shape>): Promise<ReadonlyMap<string, Position>> {
  const { default: Elk } = await import("elkjs/lib/elk-api");
  const elk = new Elk({ workerUrl });
  try {
    return readPlaces(await elk.layout(makeQuestion(graph, shapes)));
  } finally {
    elk.terminateWorker();
  }
}

/** Elk's answer, on the grid. */
export function readPlaces({ children = [] }: ElkNode): ReadonlyMap<string, Position> {
  return new Map(children.map(({ id, x, y }) => [id, { x: onGrid(x), y: onGrid(y) }]));
}

/** The request to elk. Edges end in ports if a node has several on a side, to avoid crossings. */
export function makeQuestion(graph: Graph, shapes: ReadonlyMap<string, Shape>): ElkNode {
  const end = (side: "inputs" | "outputs", node: string, port: string) =>
    (shapes.get(node)?.[side].length ?? 0) > 1 ? makePortId(side, node, port) : node;
  return {
    id: "graph",
    layoutOptions: OPTIONS,
    children: graph.nodes.map(({ id }) => makeChild(id, shapes.get(id))),
    edges: graph.edges.map(({ source, source_port, target, target_port }, index) => ({
      id: String(index),
      sources: [end("outputs", source, source_port)],
      targets: [end("inputs", target, target_port)],
    })),
  };
}

function makeChild(id: string, shape: Shape | undefined): ElkNode {
  const height = shape?.height ?? NODE.height;
  const ports = [
    ...(shape?.inputs ?? []).map(({ name, at }) => makePort(makePortId("inputs", id, name), 0, at * height, "WEST")),
    ...(shape?.outputs ?? []).map(({ name, at }) =>
      makePort(makePortId("outputs", id, name), NODE.width, at * height, "EAST"),
    ),
  ];
  const isOrdered = Math.max(shape?.inputs.length ?? 0, shape?.outputs.length ?? 0) > 1;
  if (!isOrdered) return { id, width: NODE.width, height };
  return { id, width: NODE.width, height, ports, layoutOptions: { "elk.portConstraints": "FIXED_POS" } };
}

function makePort(id: string, x: number, y: number, side: "WEST" | "EAST"): ElkPort {
  return { id, x, y, width: 0, height: 0, layoutOptions: { "elk.port.side": side } };
}

function makePortId(side: "inputs" | "outputs", node: string, port: string): string {
  return `${side} ${node}.${port}`;
}

function onGrid(value = 0): number {
  return Math.round(value / GRID) * GRID;
}
