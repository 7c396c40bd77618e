/** One-click layout: left to right, branches in the order they were drawn, wrapped to the shape of the canvas. */
import type { ElkNode, LayoutOptions } from "elkjs";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import type { Graph } from "../graph/graph";
import type { Position } from "./document";

interface Size {
  readonly width: number;
  readonly height: number;
}

const OPTIONS: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.spacing.nodeNode": "32",
  "elk.layered.spacing.nodeNodeBetweenLayers": "56",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.crossingMinimization.forceNodeModelOrder": "true",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.wrapping.strategy": "MULTI_EDGE",
};
const GRID = 8;

/** Where each node should stand; `aspect` is the width of the canvas over its height. */
export async function tidied(graph: Graph, size: Size, aspect: number): Promise<ReadonlyMap<string, Position>> {
  const { default: Elk } = await import("elkjs/lib/elk-api");
  const elk = new Elk({ workerUrl });
  try {
    const answer = await elk.layout(asked(graph, size, aspect));
    return new Map((answer.children ?? []).map(({ id, x, y }) => [id, { x: onGrid(x), y: onGrid(y) }]));
  } finally {
    elk.terminateWorker();
  }
}

function asked(graph: Graph, size: Size, aspect: number): ElkNode {
  return {
    id: "graph",
    layoutOptions: { ...OPTIONS, "elk.aspectRatio": String(aspect) },
    children: graph.nodes.map(({ id }) => ({ id, ...size })),
    edges: graph.edges.map(({ source, target }, index) => ({
      id: String(index),
      sources: [source],
      targets: [target],
    })),
  };
}

function onGrid(value = 0): number {
  return Math.round(value / GRID) * GRID;
}
