import type { GraphNode } from "../api/types";

/** The topics that a node reads or writes; where it names a pattern, those of `known` that match it. */
export function topicsOf({ config }: GraphNode, known: readonly string[] = []): readonly string[] {
  const more: readonly unknown[] = Array.isArray(config.topics) ? config.topics : [];
  const named = [config.topic, ...more].filter(isName);
  return isName(config.pattern) ? known.filter(matching(config.pattern)) : [...new Set(named)];
}

function isName(text: unknown): text is string {
  return typeof text === "string" && text !== "";
}

/** Whole names match, as the server has it; a pattern of which a browser knows nothing matches none. */
function matching(pattern: string): (name: string) => boolean {
  try {
    const whole = new RegExp(`^(?:${pattern})$`);
    return (name) => whole.test(name);
  } catch {
    return () => false;
  }
}
