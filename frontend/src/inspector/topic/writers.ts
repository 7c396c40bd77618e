import type { Graph } from "../../api/graph";
import { topicsOf } from "../../graph/topics";

/** The other nodes that write to a topic. */
export function writersOf(topic: string, { nodes }: Graph, but: string): readonly string[] {
  const writes = nodes.filter(({ id, operator, config }) => operator === "to" && config.topic === topic && id !== but);
  return topic === "" ? [] : writes.map(({ id }) => id);
}

/** The sources that read a topic, by its name or by a pattern. */
export function readersOf(topic: string, { nodes }: Graph): readonly string[] {
  const reads = nodes.filter((node) => node.operator !== "to" && topicsOf(node, [topic]).includes(topic));
  return topic === "" ? [] : reads.map(({ id }) => id);
}
