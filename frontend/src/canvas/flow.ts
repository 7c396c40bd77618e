/** The drawing as React Flow wants it. What did not change stays the same object, so that it is not redrawn. */
import type { Edge, Node, NodeChange } from "@xyflow/react";
import { NODE } from "../editor/adding";
import { edgeKey, type Document, type Position } from "../editor/document";
import type { Selection } from "../editor/interfaceStore";
import type { Graph, GraphEdge, GraphNode } from "../api/types";
import type { EdgeLook } from "../graph/edges";
import { isSameShape, type Shape } from "../editor/shape";

export type FlowNode = Node<{ readonly node: GraphNode; readonly shape: Shape }, "operator">;
export type FlowEdge = Edge<{ readonly edge: GraphEdge; readonly look: EdgeLook }, "edge">;

/** Nodes with what React Flow itself noted on them before: that they were measured, and are being dragged. */
export function flowNodes(
  graph: Graph,
  shapes: ReadonlyMap<string, Shape>,
  selection: Selection,
  before: readonly FlowNode[],
): FlowNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return graph.nodes.map((node) => {
    const [old, selected] = [known.get(node.id), selection.nodes.has(node.id)];
    const now = shapes.get(node.id) ?? NO_PORTS;
    if (old === undefined) return fresh(node, now, selected);
    const shape = isSameShape(old.data.shape, now) ? old.data.shape : now;
    const isSame = old.data.node === node && old.data.shape === shape;
    if (isSame && old.selected === selected) return old;
    const position = old.data.node === node ? old.position : node.position;
    const data = isSame ? old.data : { node, shape };
    return { ...old, position, selected, height: shape.height, data, ariaLabel: ariaLabel(node) };
  });
}

const NO_PORTS: Shape = { inputs: [], outputs: [], height: NODE.height };

export function flowEdges(
  graph: Graph,
  looks: readonly EdgeLook[],
  selection: Selection,
  before: readonly FlowEdge[],
): FlowEdge[] {
  const known = new Map(before.map((edge) => [edge.id, edge]));
  const words = edgeWords(graph);
  return graph.edges.map((edge, index) => {
    const [id, look, ariaLabel] = [edgeKey(edge), looks[index] ?? "stream", words[index] ?? ""];
    const [old, selected] = [known.get(id), selection.edges.has(id)];
    const isSame = old?.data?.edge === edge && old.data.look === look && old.ariaLabel === ariaLabel;
    if (isSame && old.selected === selected) return old;
    return {
      id,
      type: "edge",
      source: edge.source,
      sourceHandle: edge.source_port,
      target: edge.target,
      targetHandle: edge.target_port,
      ariaLabel,
      data: { edge, look },
      selected,
    };
  });
}

/** What each edge is called, with its ports where several join the same nodes. */
function edgeWords({ edges }: Graph): readonly string[] {
  const words = edges.map(({ source, target }) => `Edge from ${source} to ${target}`);
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return edges.map(({ source_port, target_port }, index) => {
    const word = words[index] ?? "";
    return (times.get(word) ?? 0) > 1 ? `${word}, ${source_port} into ${target_port}` : word;
  });
}

type Changes = readonly NodeChange<FlowNode>[];

/** Where nodes come to stand, under the pointer too. */
export function placesIn(changes: Changes): ReadonlyMap<string, Position> {
  return new Map(
    changes.flatMap((change) => (change.type === "position" && change.position ? [[change.id, change.position]] : [])),
  );
}

/** Where nodes were put down: the end of a drag, a step with an arrow key. While one is dragged: nothing. */
export function putDown(changes: Changes): ReadonlyMap<string, Position> {
  return placesIn(changes.filter((change) => change.type === "position" && change.dragging !== true));
}

/** The same changes with each place a little aside. */
export function shift(changes: Changes, by: Position): NodeChange<FlowNode>[] {
  return changes.map((change) =>
    change.type === "position" && change.position
      ? { ...change, position: { x: change.position.x + by.x, y: change.position.y + by.y } }
      : change,
  );
}

/** The same changes with the nodes where the document has them: it was copies that were put down. */
export function takenBack(changes: Changes, { graph }: Pick<Document, "graph">): NodeChange<FlowNode>[] {
  const places = new Map(graph.nodes.map(({ id, position }) => [id, position]));
  return changes.map((change) => {
    const place = change.type === "position" ? places.get(change.id) : undefined;
    return change.type === "position" && place !== undefined ? { ...change, position: place } : change;
  });
}

function fresh(node: GraphNode, shape: Shape, selected: boolean): FlowNode {
  return {
    id: node.id,
    type: "operator",
    position: node.position,
    data: { node, shape },
    selected,
    ariaLabel: ariaLabel(node),
    width: NODE.width,
    height: shape.height,
  };
}

function ariaLabel({ id, operator, bypassed = false }: GraphNode): string {
  return `${id}: ${operator}${bypassed ? ", bypassed" : ""}`;
}
