/** The table that a join looks records up in. */
import type { Graph, Operator } from "../../api/types";
import type { NodeNumbers, Size } from "../../live/state";

/**
 * What the table holds in which a node looks records up, null if it looks none up or nothing is known. A table that
 * is only filtered or mapped keeps no rows of its own: those of the node before it are read.
 */
export function findTableSize(
  id: string,
  port: Operator["looked_up_input"] | undefined,
  graph: Graph,
  nodes: Readonly<Record<string, NodeNumbers>>,
): Size | null {
  if (nodes[id]?.no_match === undefined) return null;
  const visitedIds = new Set<string>();
  let [edge] = graph.edges.filter(({ target, target_port }) => target === id && target_port === port);
  while (edge !== undefined && !visitedIds.has(edge.source)) {
    const before = edge.source;
    const state = nodes[before]?.state;
    if (state) return state;
    visitedIds.add(before);
    const into = graph.edges.filter(({ target }) => target === before);
    edge = into.length === 1 ? into[0] : undefined;
  }
  return null;
}
