/** The formats of the topic of a node, as far as the drawing knows them. */
import type { CheckResult } from "../../api/checkResult";
import type { FormatName, GraphNode } from "../../api/types";

export interface TopicFormats {
  readonly key: FormatName | null;
  readonly value: FormatName | null;
}

/** Those of its settings, else those of what it writes or reads. Null where unknown. */
export function findTopicFormats(
  { config }: Pick<GraphNode, "config">,
  flows: CheckResult["nodes"][string] | undefined,
): TopicFormats {
  const [port] = Object.values({ ...flows?.inputs, ...flows?.outputs });
  const carries = port?.carries ?? null;
  return {
    key: readFormat(config.key_format) ?? carries?.key.format ?? null,
    value: readFormat(config.value_format) ?? carries?.value.format ?? null,
  };
}

/** Formats of numbers in a few bytes, which other programs show as unreadable text. */
export function isBinaryNumber(format: FormatName | null): boolean {
  return format === "long" || format === "integer" || format === "double";
}

function readFormat(value: unknown): FormatName | null {
  return typeof value === "string" ? (value as FormatName) : null;
}
