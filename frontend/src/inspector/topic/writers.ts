import type { Graph } from "../../graph/graph";

/** The other nodes that write to a topic. */
export function writersOf(topic: string, { nodes }: Graph, but: string): readonly string[] {
  const writes = nodes.filter(({ id, operator, config }) => operator === "to" && config.topic === topic && id !== but);
  return topic === "" ? [] : writes.map(({ id }) => id);
}
