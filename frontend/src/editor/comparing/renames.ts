/** Finds which nodes were renamed: a graph knows nodes by their names only. */
import type { Graph, GraphNode } from "../../api/types";
import { areSame } from "../document/areSame";

/** New names by old ones. */
export type Renames = ReadonlyMap<string, string>;

/**
 * The nodes of `base` that have another name in `graph`. A rename keeps the operator, and the place or all settings
 * and edges. Where two nodes could be the renamed one, none is.
 */
export function findRenames(base: Graph, graph: Graph): Renames {
  const [before, after] = [listIds(base), listIds(graph)];
  const gone = base.nodes.filter(({ id }) => !after.has(id));
  const come = graph.nodes.filter(({ id }) => !before.has(id));
  if (gone.length === 0 || come.length === 0) return new Map();
  const isAtPlace = (was: GraphNode, now: GraphNode) => areSame(was.position, now.position);
  const placed = pair(gone, come, isAtPlace);
  const taken = new Set(placed.values());
  const others = gone.filter(({ id }) => !placed.has(id));
  const [edgesBefore, edgesAfter] = [listEdges(base), listEdges(graph)];
  const isSameElsewhere = (was: GraphNode, now: GraphNode) =>
    was.bypassed === now.bypassed &&
    areSame(was.config, now.config) &&
    areSame(edgesBefore.get(was.id), edgesAfter.get(now.id));
  const moved = pair(
    others,
    come.filter(({ id }) => !taken.has(id)),
    isSameElsewhere,
  );
  return new Map([...placed, ...moved]);
}

/** The graph with other names of nodes. */
export function renameAll(graph: Graph, renames: Renames): Graph {
  if (renames.size === 0) return graph;
  const rename = (id: string) => renames.get(id) ?? id;
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, id: rename(node.id) })),
    edges: graph.edges.map((edge) => ({ ...edge, source: rename(edge.source), target: rename(edge.target) })),
  };
}

export function listIds({ nodes }: Graph): ReadonlySet<string> {
  return new Set(nodes.map(({ id }) => id));
}

function pair(
  gone: readonly GraphNode[],
  come: readonly GraphNode[],
  isSame: (was: GraphNode, now: GraphNode) => boolean,
): Map<string, string> {
  const matches = gone.flatMap((was) =>
    come.filter((now) => was.operator === now.operator && isSame(was, now)).map((now) => [was.id, now.id] as const),
  );
  const [ofOld, ofNew] = [countEach(matches.map(([was]) => was)), countEach(matches.map(([, now]) => now))];
  return new Map(matches.filter(([was, now]) => ofOld.get(was) === 1 && ofNew.get(now) === 1));
}

function countEach(ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The edges of each node without its own name, in a fixed order. A node without edges is missing. */
function listEdges({ edges }: Graph): ReadonlyMap<string, readonly string[]> {
  const byNode = new Map<string, string[]>();
  for (const { source, source_port, target, target_port } of edges) {
    for (const id of new Set([source, target])) {
      const ends = [source === id ? "" : source, source_port, target === id ? "" : target, target_port];
      byNode.set(id, [...(byNode.get(id) ?? []), ends.join(" ")]);
    }
  }
  return new Map([...byNode].map(([id, words]) => [id, words.toSorted()]));
}
