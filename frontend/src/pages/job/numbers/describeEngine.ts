import type { EngineUse } from "../../../api/types";

/** Which engine runs which nodes, and why: a sentence for each reason, with code in backticks. */
export function describeEngines(uses: readonly EngineUse[]): readonly string[] {
  const reasons = [...new Set(uses.map(({ reason }) => reason))];
  if (reasons.length === 1 && reasons[0] === "") return ["The kernel runs all nodes."];
  return reasons.map((reason) =>
    describeEngine({ reason, nodes: uses.flatMap((use) => (use.reason === reason ? use.nodes : [])) }),
  );
}

function describeEngine({ nodes, reason }: EngineUse): string {
  const named = nodes.map((node) => `\`${node}\``).join(", ");
  return reason === "" ? `The kernel runs ${named}.` : `The Python engine runs ${named}: ${reason}.`;
}
