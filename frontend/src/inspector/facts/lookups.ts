/** The table that a join looks records up in. */
import type { Graph, Operator } from "../../api/types";
import type { NodeNumbers, Size } from "../../live/state";

/**
 * The size of the table in which a node looks records up. Null without a look-up or if unknown. A filtered or
 * mapped table stores no rows itself: the rows are those of the node before it.
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
