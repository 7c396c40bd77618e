import type { StreamsApplication, ApplicationComparison } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";

/** The state of an application's group in one sentence. */
export function describeGroup({ name, state, is_running, guarantee }: StreamsApplication): string {
  if (state === null) return `Kafka knows no group ${name}.`;
  const group = is_running ? `The group ${name} runs: ${state}.` : `The group ${name} has no members.`;
  return guarantee === null ? group : `${group} It uses exactly-once processing.`;
}

export function nameOutcome({ is_equal, topics }: ApplicationComparison): string {
  if (is_equal) return "All keys have the same last value";
  const isEmpty = Object.values(topics).every(({ keys }) => keys === 0);
  return isEmpty ? "Nothing was compared" : "Some keys have another last value";
}

/** One line for each topic, then the keys that differ, then what the comparison could not see. */
export function describeCompared({ records, topics, limits }: ApplicationComparison): string[] {
  const lines = Object.entries(topics).flatMap(([topic, { keys, equal, examples }]) => [
    `\`${topic}\`: ${formatCount(equal)} of ${formatAmount(keys, "key")} equal.`,
    ...examples.map(
      ({ key, application, drawing }) =>
        `${key ?? "null"}: the application has ${application ?? "nothing"}, the drawing ${drawing ?? "nothing"}.`,
    ),
  ]);
  return [`The drawing has processed ${formatAmount(records, "record")}.`, ...lines, ...limits];
}
