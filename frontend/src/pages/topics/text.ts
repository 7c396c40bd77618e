/** Words of the pages about topics. */
import type { TopicEnds, TopicFacts } from "../../api/types";
import { UNKNOWN, formatAmount, formatBytes, formatCount, formatDuration } from "../../ui/text/format";

/** Retention of records: "7 d", "forever", "newest per key", or both limits. "–" if Kafka does not say. */
export function describeRetention({ cleanup, retention_ms, retention_bytes }: TopicFacts): string {
  if (cleanup.length === 0) return UNKNOWN;
  const limits = [
    ...(retention_ms === null ? [] : [formatDuration(retention_ms)]),
    ...(retention_bytes === null ? [] : [`${formatBytes(retention_bytes)} a partition`]),
  ];
  const retention = limits.length === 0 ? "forever" : limits.join(" or ");
  if (!cleanup.includes("compact")) return retention;
  return cleanup.includes("delete") ? `newest per key, ${retention}` : "newest per key";
}

/** A topic's records a second between two reads, or null if there are none. */
export function computeRate(topic: string, before: TopicEnds | null, now: TopicEnds | null): number | null {
  const [first, last] = [before?.ends[topic], now?.ends[topic]];
  if (before === null || now === null || first === undefined || last === undefined || now.at <= before.at) return null;
  return (Math.max(0, last - first) * 1_000) / (now.at - before.at);
}

/** Whether the text is in a topic's name, or in the name of a topology or group that uses it. */
export function fits({ name, uses, groups }: TopicFacts, text: string): boolean {
  const query = text.trim().toLowerCase();
  const names = [name, ...uses.map((use) => use.name), ...groups.map(({ group }) => group)];
  return names.some((one) => one.toLowerCase().includes(query));
}

/** "3 groups, 1,200 behind" */
export function describeGroups({ groups }: TopicFacts): string {
  if (groups.length === 0) return "";
  const lag = groups.reduce((sum, group) => sum + group.lag, 0);
  return `${formatAmount(groups.length, "group")}, ${lag === 0 ? "no lag" : `lag ${formatCount(lag)}`}`;
}
