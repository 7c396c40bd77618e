import type { Graph } from "../../api/types";
import { areAlike } from "./merge";

/** The difference of a node from the other graph: it is missing there, or its config or incoming edges differ. */
export type Difference = "added" | "changed";

/** The nodes of `graph` that differ from those of `other`. Places on the canvas do not count. */
export function findDifferences(graph: Graph, other: Graph): ReadonlyMap<string, Difference> {
  const byNode = new Map<string, Difference>();
  const theirs = new Map(other.nodes.map((node) => [node.id, node]));
  const [ourEdges, theirEdges] = [listEdgesInto(graph), listEdgesInto(other)];
  for (const node of graph.nodes) {
    const same = theirs.get(node.id);
    if (same === undefined) byNode.set(node.id, "added");
    else if (!areAlike(node, same) || ourEdges.get(node.id) !== theirEdges.get(node.id)) byNode.set(node.id, "changed");
  }
  return byNode;
}

function listEdgesInto(graph: Graph): ReadonlyMap<string, string> {
  const into = new Map<string, string[]>();
  for (const { source, source_port, target, target_port } of graph.edges) {
    into.set(target, [...(into.get(target) ?? []), `${source}.${source_port}>${target_port}`]);
  }
  return new Map([...into].map(([id, edges]) => [id, edges.sort().join(" ")]));
}
