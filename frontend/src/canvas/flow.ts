/** The drawing as React Flow wants it. What did not change stays the same object, so that it is not drawn anew. */
import type { Edge, Node, NodeChange } from "@xyflow/react";
import { NODE } from "../editor/adding";
import { edgeKey, type Position } from "../editor/document";
import type { Selection } from "../editor/store";
import type { Graph, GraphEdge, GraphNode } from "../graph/graph";
import type { WireLook } from "../graph/wires";

export type FlowNode = Node<{ readonly node: GraphNode }, "operator">;
export type FlowEdge = Edge<{ readonly edge: GraphEdge; readonly look: WireLook }, "wire">;

/** Nodes with what React Flow itself noted on them before: that they were measured, and are being dragged. */
export function flowNodes(graph: Graph, selection: Selection, before: readonly FlowNode[]): FlowNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return graph.nodes.map((node) => {
    const [old, selected] = [known.get(node.id), selection.nodes.has(node.id)];
    if (old === undefined) return fresh(node, selected);
    if (old.data.node === node && old.selected === selected) return old;
    const position = old.data.node === node ? old.position : node.position;
    return { ...old, position, selected, data: old.data.node === node ? old.data : { node } };
  });
}

export function flowEdges(
  graph: Graph,
  looks: readonly WireLook[],
  selection: Selection,
  before: readonly FlowEdge[],
): FlowEdge[] {
  const known = new Map(before.map((edge) => [edge.id, edge]));
  return graph.edges.map((edge, index) => {
    const [id, look] = [edgeKey(edge), looks[index] ?? "stream"];
    const [old, selected] = [known.get(id), selection.edges.has(id)];
    if (old?.data?.edge === edge && old.data.look === look && old.selected === selected) return old;
    return {
      id,
      type: "wire",
      source: edge.source,
      sourceHandle: edge.source_port,
      target: edge.target,
      targetHandle: edge.target_port,
      ariaLabel: `Wire from ${edge.source} to ${edge.target}`,
      data: { edge, look },
      selected,
    };
  });
}

/** Where nodes were put down: the end of a drag, a step with an arrow key. While one is dragged: nothing. */
export function putDown(changes: readonly NodeChange<FlowNode>[]): ReadonlyMap<string, Position> {
  return new Map(
    changes.flatMap((change) =>
      change.type === "position" && change.dragging !== true && change.position ? [[change.id, change.position]] : [],
    ),
  );
}

function fresh(node: GraphNode, selected: boolean): FlowNode {
  return {
    id: node.id,
    type: "operator",
    position: node.position,
    data: { node },
    selected,
    ariaLabel: `${node.id}: ${node.operator}`,
    width: NODE.width,
    height: NODE.height,
  };
}
