import type { EngineUse } from "../../../api/types";

/** The engine of some nodes in a sentence, with code in backticks. */
export function describeEngine({ nodes, reason }: EngineUse): string {
  const named = nodes.map((node) => `\`${node}\``).join(", ");
  return reason === "" ? `The kernel runs ${named}.` : `The Python engine runs ${named}: ${reason}.`;
}
