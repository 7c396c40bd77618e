import type { Graph } from "../../api/types";
import { followTypes, type Operators, type PortType } from "./ports";

/** The look of an edge by its type, as everywhere in the product. */
export type EdgeLook = "stream" | "table" | "global" | "group";

/** The label of an edge at which the key's task changes. */
export const SHUFFLE = "Shuffle: each record goes to the task of its key (a repartition topic of Kafka Streams).";

const cache = new WeakMap<Graph["edges"], readonly EdgeLook[]>();

/** The look of each edge, in the order of `graph.edges`. The list stays the same until one changes. */
export function listEdgeLooks(graph: Graph, operators: Operators): readonly EdgeLook[] {
  const { findType } = followTypes(graph, operators);
  const looks = graph.edges.map((edge) => chooseLook(findType(edge.source, edge.source_port)));
  const before = cache.get(graph.edges);
  if (before?.every((look, index) => look === looks[index]) === true) return before;
  cache.set(graph.edges, looks);
  return looks;
}

/** Grouped, cogrouped and windowed forms look the same: only an aggregation reads them. */
export function chooseLook(type: PortType | null): EdgeLook {
  if (type === "KTable") return "table";
  if (type === "GlobalKTable") return "global";
  return type === "KStream" || type === null ? "stream" : "group";
}
