/** Numbers and times for people: one spelling everywhere, in figures that do not change width. */

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const ONE_DECIMAL = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const TWO_DECIMALS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const THREE_DIGITS = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

export const UNKNOWN = "–";

/** 1,234,567 */
export function formatCount(value: number | null | undefined): string {
  return isKnown(value) ? WHOLE.format(value) : UNKNOWN;
}

/** 1,234,567 up to a million, then 12.35 M, 1.23 G. */
export function formatShortCount(value: number | null | undefined): string {
  if (!isKnown(value) || Math.abs(value) < 1e6) return formatCount(value);
  return value < 1e9 ? `${TWO_DECIMALS.format(value / 1e6)} M` : `${TWO_DECIMALS.format(value / 1e9)} G`;
}

/** 1,234 up to ten thousand, then 12.3 k, 123 k, 1.23 M: for places with little room. */
export function formatBriefCount(value: number): string {
  return value < 1e4 || value >= 1e6 ? formatShortCount(value) : `${THREE_DIGITS.format(value / 1e3)} k`;
}

/** Records per second, with the unit: 4.2/s, or "–" alone. */
export function formatPerSecond(value: number | null | undefined): string {
  return isKnown(value) ? `${formatRate(value)}/s` : UNKNOWN;
}

/** Records per second: 0, <0.1, 4.2, 128, 12,480. */
export function formatRate(value: number | null | undefined): string {
  if (!isKnown(value)) return UNKNOWN;
  if (value > 0 && value < 0.05) return "<0.1";
  return value === 0 || value >= 10 ? WHOLE.format(value) : ONE_DECIMAL.format(value);
}

/** A time span, two units at most: 85 ms, 1.2 s, 3 min 20 s, 2 h 5 min, 4 d 1 h. */
export function formatDuration(ms: number | null | undefined): string {
  if (!isKnown(ms)) return UNKNOWN;
  if (ms < 1_000) return `${WHOLE.format(ms)} ms`;
  if (ms < 59_950) return `${ONE_DECIMAL.format(ms / 1_000)} s`;
  return formatLongDuration(Math.round(ms / 1_000));
}

/** Age: "now" within two seconds, else whole units: 12 s, 5 min, 3 h, 2 d. */
export function formatAge(ms: number | null | undefined): string {
  if (!isKnown(ms)) return UNKNOWN;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 2) return "now";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** "now", or the age followed by "ago". */
export function formatAgo(ms: number | null | undefined): string {
  const text = formatAge(ms);
  return text === "now" || text === UNKNOWN ? text : `${text} ago`;
}

/** The place of a record: "orders-3@18811", the topic alone if the rest is not known, or "3@18811" in a known topic. */
export function formatRecordPlace({ topic, partition, offset }: RecordPlace): string {
  const place = partition === null || offset === null ? [] : [`${partition}@${offset}`];
  return [...(topic == null ? [] : [topic]), ...place].join("-");
}

interface RecordPlace {
  readonly topic?: string | null;
  readonly partition: number | null;
  readonly offset: number | null;
}

/** 640 B, 12.4 KiB, 768 MiB, 1.0 GiB */
export function formatBytes(value: number | null | undefined): string {
  if (!isKnown(value)) return UNKNOWN;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  const amount = value / 1_024 ** power;
  return `${power === 0 || amount >= 100 ? WHOLE.format(amount) : ONE_DECIMAL.format(amount)} ${units[power] ?? ""}`;
}

/** The local day and time, to the second. */
export function formatMoment(ms: number): string {
  return new Date(ms).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** "1 node", "3 nodes", "2 branches", or "–" alone for an unknown amount. */
export function formatAmount(amount: number | null | undefined, one: string, many?: string): string {
  return isKnown(amount) ? `${formatCount(amount)} ${nameUnit(amount, one, many)}` : UNKNOWN;
}

/** What so many of a thing are called: "node" for 1, "nodes" for 3. */
export function nameUnit(
  amount: number | null | undefined,
  one: string,
  many = `${one}${/(ch|s|x)$/.test(one) ? "es" : "s"}`,
): string {
  return amount === 1 ? one : many;
}

function formatLongDuration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return joinUnits(days, "d", hours, "h");
  return hours > 0 ? joinUnits(hours, "h", minutes, "min") : joinUnits(minutes, "min", seconds % 60, "s");
}

function joinUnits(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major} ${majorUnit}` : `${major} ${majorUnit} ${minor} ${minorUnit}`;
}

function isKnown(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}
