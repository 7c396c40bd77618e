/** The name of a topology that nobody has named yet. */
import type { Graph } from "../../api/types";

export const UNTITLED = "Untitled";

/** A name that says what a topology does, from the first topic that it writes: "Late flights" for `late-flights`. */
export function proposeName({ nodes }: Pick<Graph, "nodes">): string {
  const topics = nodes.flatMap(({ operator, config: { topic } }) =>
    operator === "to" && typeof topic === "string" ? [topic] : [],
  );
  const words = (topics[0] ?? "").replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The application id that the server makes of a name, while no other topology has it. */
export function makeApplicationId(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s-]/g, "");
  return plain.trim().replaceAll(/[\s-]+/g, "-").slice(0, 50).replaceAll(/^[-_]+|[-_]+$/g, "") || "topology";
}
