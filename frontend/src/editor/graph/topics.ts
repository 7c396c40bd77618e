import type { GraphNode } from "../../api/types";

/** The topics that a node reads or writes. For a pattern, its matches in `topics`. */
export function findTopics({ config }: GraphNode, topics: readonly string[] = []): readonly string[] {
  const more: readonly unknown[] = Array.isArray(config.topics) ? config.topics : [];
  const names = [config.topic, ...more].filter(isName);
  return isName(config.pattern) ? topics.filter(compilePattern(config.pattern)) : [...new Set(names)];
}

function isName(text: unknown): text is string {
  return typeof text === "string" && text !== "";
}

/** Whole names match, as on the server. A pattern that the browser cannot read matches none. */
function compilePattern(pattern: string): (name: string) => boolean {
  try {
    const whole = new RegExp(`^(?:${pattern})$`);
    return (name) => whole.test(name);
  } catch {
    return () => false;
  }
}
