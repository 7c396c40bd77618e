import type { Graph, GraphNode } from "../../api/types";
import { areAlike } from "./merge";

/** The difference of a node from the other graph: it is missing there, or its config or incoming edges differ. */
export type Difference = "added" | "changed";

type Differences = ReadonlyMap<string, Difference>;

const cache = new WeakMap<Graph, { readonly other: Graph; readonly differences: Differences }>();

/**
 * The nodes of `graph` that differ from those of `other`. Places on the canvas do not count. Graphs never change, and
 * the canvas and the toolbar compare the same two.
 */
export function findDifferences(graph: Graph, other: Graph): Differences {
  const before = cache.get(graph);
  if (before?.other === other) return before.differences;
  const differences = compareNodes(graph, other);
  cache.set(graph, { other, differences });
  return differences;
}

function compareNodes(graph: Graph, other: Graph): Differences {
  const byNode = new Map<string, Difference>();
  const theirs = new Map(other.nodes.map((node) => [node.id, node]));
  const [ourEdges, theirEdges] = [listEdgesInto(graph), listEdgesInto(other)];
  for (const node of graph.nodes) {
    const same = theirs.get(node.id);
    if (same === undefined) byNode.set(node.id, "added");
    else if (!isLike(node, same) || ourEdges.get(node.id) !== theirEdges.get(node.id)) byNode.set(node.id, "changed");
  }
  return byNode;
}

const comparisons = new WeakMap<GraphNode, { readonly other: GraphNode; readonly areAlike: boolean }>();

/** Compared once: most nodes stay the same objects from edit to edit. */
function isLike(node: GraphNode, other: GraphNode): boolean {
  const before = comparisons.get(node);
  if (before?.other === other) return before.areAlike;
  const comparison = { other, areAlike: areAlike(node, other) };
  comparisons.set(node, comparison);
  return comparison.areAlike;
}

const edgesInto = new WeakMap<Graph["edges"], ReadonlyMap<string, string>>();

/** The edges into each node as text. Listed once while no edge changes, as during typing. */
function listEdgesInto({ edges }: Graph): ReadonlyMap<string, string> {
  const known = edgesInto.get(edges);
  if (known !== undefined) return known;
  const into = new Map<string, string[]>();
  for (const { source, source_port, target, target_port } of edges) {
    into.set(target, [...(into.get(target) ?? []), `${source}.${source_port}>${target_port}`]);
  }
  const texts = new Map([...into].map(([id, ends]) => [id, ends.sort().join(" ")]));
  edgesInto.set(edges, texts);
  return texts;
}
