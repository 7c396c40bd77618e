/** The change of the graph for a drag between ports, and the reasons against it. */
import type { Connection, FinalConnectionState } from "@xyflow/react";
import { explainWhyNot, type Reason, type Rules } from "../../editor/edges/connecting";
import { makeEdgeKey } from "../../editor/document/document";
import type { Graph, GraphEdge } from "../../api/types";

export interface Ends {
  readonly source: string | null;
  readonly sourceHandle?: string | null;
  readonly target: string | null;
  readonly targetHandle?: string | null;
}

/** The edge between two ports, or null while an end is missing. */
export function makeEdge({ source, sourceHandle, target, targetHandle }: Ends | Connection): GraphEdge | null {
  if (source === null || target === null || sourceHandle == null || targetHandle == null) return null;
  return { source, source_port: sourceHandle, target, target_port: targetHandle };
}

/** Why these ends cannot be joined, or null. A reconnected edge does not block itself. */
export function findRefusal(
  ends: Ends | Connection,
  graph: Graph,
  rules: Rules,
  reconnectedEdge: string | null,
): Reason | null {
  const edge = makeEdge(ends);
  if (edge === null) return null;
  const others =
    reconnectedEdge === null ? graph.edges : graph.edges.filter((one) => makeEdgeKey(one) !== reconnectedEdge);
  return explainWhyNot(edge, { ...graph, edges: others }, rules);
}

/** The ends of a drag, whichever end came first. */
export function readEnds(drag: Pick<FinalConnectionState, "fromHandle" | "toHandle">): Ends | null {
  const { fromHandle, toHandle } = drag;
  if (fromHandle === null || toHandle === null || fromHandle.type === toHandle.type) return null;
  const [out, into] = fromHandle.type === "source" ? [fromHandle, toHandle] : [toHandle, fromHandle];
  return {
    source: out.nodeId,
    sourceHandle: out.id ?? null,
    target: into.nodeId,
    targetHandle: into.id ?? null,
  };
}
