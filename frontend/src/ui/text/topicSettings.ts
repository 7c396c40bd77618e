/** What values of a Kafka topic's settings mean: limits that are never reached, times and sizes. */
import { formatBytes, formatCount, formatDuration } from "./format";

/** 2^63 - 1, as text: a number of JavaScript cannot hold it. */
const NEVER_REACHED = "9223372036854775807";
/** The value that means "no limit", by setting. */
const UNLIMITED: Readonly<Record<string, string>> = {
  "retention.ms": "-1",
  "retention.bytes": "-1",
  "max.compaction.lag.ms": NEVER_REACHED,
  "message.timestamp.before.max.ms": NEVER_REACHED,
  "message.timestamp.after.max.ms": NEVER_REACHED,
};
/** Other values that stand for something else than their number. */
const SPECIAL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "compression.gzip.level": { "-1": "gzip's default" },
  "flush.messages": { [NEVER_REACHED]: "never: the operating system decides" },
  "flush.ms": { [NEVER_REACHED]: "never: the operating system decides" },
  "local.retention.bytes": { "-2": "as retention.bytes" },
  "local.retention.ms": { "-2": "as retention.ms" },
};

/** The value with which a setting has no limit, or null if it always has one. */
export function findUnlimited(setting: string): string | null {
  return UNLIMITED[setting] ?? null;
}

/** "no limit", "7 d", "1.0 GiB", "10,000"; null for a value that says itself what it means. */
export function describeSetting(setting: string, value: string | null): string | null {
  if (value === null) return null;
  const special = SPECIAL[setting]?.[value];
  if (special !== undefined) return special;
  if (value === findUnlimited(setting) || value === NEVER_REACHED) return "no limit";
  if (!/^\d+$/.test(value)) return null;
  const amount = Number(value);
  if (setting.endsWith(".ms")) return formatDuration(amount);
  if (setting.endsWith(".bytes")) return formatBytes(amount);
  return amount < 1_000 ? null : formatCount(amount);
}
