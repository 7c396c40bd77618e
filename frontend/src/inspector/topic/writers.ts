import type { Graph, GraphNode, Operator } from "../../api/types";
import type { Operators } from "../../editor/graph/ports";
import { findTopics } from "../../editor/graph/topics";

/** The other nodes that write to a topic. */
export function listWriters(topic: string, graph: Graph, operators: Operators, but: string): readonly string[] {
  return listNodesUsing("writes", topic, graph, operators).filter((id) => id !== but);
}

/** The sources that read a topic, by name or by pattern. */
export function listReaders(topic: string, graph: Graph, operators: Operators): readonly string[] {
  return listNodesUsing("reads", topic, graph, operators);
}

function listNodesUsing(
  use: Operator["topic_use"],
  topic: string,
  { nodes }: Graph,
  operators: Operators,
): readonly string[] {
  if (topic === "") return [];
  const uses = (node: GraphNode) =>
    operators.get(node.operator)?.topic_use === use && findTopics(node, [topic]).includes(topic);
  return nodes.filter(uses).map(({ id }) => id);
}
