import type { Step } from "../../api/types";
import { describeOutcome, findWay, useFollowing } from "../../editor/interface/following";
import { useEditing } from "../../editor/interface/useEditor";
import { useShownGraph } from "../../editor/comparing/useShownGraph";

/** What became of the followed record at a step, in sentences. */
export function useOutcomes(): (step: Step) => readonly string[] {
  const { operators } = useEditing().rules;
  const { graph } = useShownGraph();
  const following = useFollowing();
  return (step) => {
    const operator = graph.nodes.find(({ id }) => id === step.node)?.operator;
    const writes = operator !== undefined && operators.get(operator)?.topic_use === "writes";
    return describeOutcome(step, findWay(following, step), writes);
  };
}
