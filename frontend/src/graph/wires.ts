import type { Operator } from "../api/types";
import type { Graph, GraphEdge } from "./graph";

/** How a wire is drawn: by what flows on it, as everywhere in the product. */
export type WireLook = "stream" | "table" | "global" | "grouped";

/** The look of each edge, in the order of `graph.edges`. */
export function wireLooks(graph: Graph, operators: ReadonlyMap<string, Operator>): readonly WireLook[] {
  return graph.edges.map((edge) => lookOf(typeOfOutput(edge.source, edge.source_port, graph, operators)));
}

/** The port type an output gives; null while it is not known. */
export function typeOfOutput(
  source: string,
  source_port: string,
  graph: Graph,
  operators: ReadonlyMap<string, Operator>,
): string | null {
  return typeOf({ source, source_port }, graph, operators, graph.edges.length + 1);
}

export function lookOf(type: string | null): WireLook {
  if (type === "KTable") return "table";
  if (type === "GlobalKTable") return "global";
  return type === "KStream" || type === null ? "stream" : "grouped";
}

/** What an edge carries: said by the operator it leaves, or found by following the input its output is like. */
function typeOf(
  edge: Pick<GraphEdge, "source" | "source_port">,
  graph: Graph,
  operators: ReadonlyMap<string, Operator>,
  steps: number,
): string | null {
  const node = graph.nodes.find(({ id }) => id === edge.source);
  const output = operators.get(node?.operator ?? "")?.outputs.find(({ name }) => name === edge.source_port);
  if (output === undefined || steps === 0) return null;
  if (output.gives !== null) return output.gives;
  const before = graph.edges.find(({ target, target_port }) => target === edge.source && target_port === output.like);
  return before === undefined ? null : typeOf(before, graph, operators, steps - 1);
}
