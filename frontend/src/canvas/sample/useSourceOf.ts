import { useEditing } from "../../editor/interface/useEditor";
import { useShownGraph } from "../../editor/comparing/useShownGraph";

/** The first source node of the topology that reads a topic, or null if none does. */
export function useSourceOf(topic: string | null): string | null {
  const { graph } = useShownGraph();
  const { operators } = useEditing().rules;
  const reads = graph.nodes.find(
    ({ operator, config }) => config.topic === topic && operators.get(operator)?.family === "sources",
  );
  return topic === null ? null : (reads?.id ?? null);
}
