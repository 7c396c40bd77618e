/** The topics that a topology reads and writes, sorted by distance from a node. */
import type { Graph } from "../../api/types";
import { findTopics } from "../../editor/graph/topics";
import { formatAmount } from "../../ui/text/format";

export interface TopicPlace {
  readonly topic: string;
  /** The nearest node that reads or writes it, and its distance in edges. Infinity without a path. */
  readonly node: string;
  readonly away: number;
}

/**
 * Every topic of the graph once, the nearest to `from` first, then in the order of the graph.
 * Patterns stand for their matches in `topics`.
 */
export function listTopicsNear(
  graph: Graph,
  from: string | null,
  topics: readonly string[] = [],
): readonly TopicPlace[] {
  const distances = from === null ? new Map<string, number>() : measureDistances(graph, from);
  const places = graph.nodes.flatMap((node) =>
    findTopics(node, topics).map((topic) => ({ topic, node: node.id, away: distances.get(node.id) ?? Infinity })),
  );
  const nearest = places.toSorted((one, other) => (one.away === other.away ? 0 : one.away - other.away));
  return nearest.filter(({ topic }, index) => nearest.findIndex((place) => place.topic === topic) === index);
}

/** Whose topic is shown: of the selected node, or of the nearest one, or of another that the user chose. */
export function describeOwner({ node, away }: TopicPlace, selection: string | null, nearest?: TopicPlace): string {
  if (selection === null || away === Infinity) return "";
  if (away === 0) return `of ${selection}`;
  if (nearest?.away === 0) return `of ${node}`;
  return `${selection} has no topic; ${node} is ${formatAmount(away, "edge")} away`;
}

/** Number of edges from a node to each connected one, in either direction. */
function measureDistances(graph: Graph, from: string): ReadonlyMap<string, number> {
  const distances = new Map([[from, 0]]);
  for (const [id, away] of distances) {
    for (const { source, target } of graph.edges) {
      const next = source === id ? target : target === id ? source : null;
      if (next !== null && !distances.has(next)) distances.set(next, away + 1);
    }
  }
  return distances;
}
