/** Times of a topic's newest records that are hardly meant: before 2000, or more than a day ahead. */
import type { Message } from "../../api/types";
import type { Config } from "../../editor/document";
import { moment } from "../../numbers/format";

const EARLIEST_MS = Date.UTC(2000, 0, 1);
const MAX_AHEAD_MS = 86_400_000;
const PATH = /^(?:value\.)?[A-Za-z_]\w*(?:\.\w+)*$/;

interface Found {
  /** As the record has it. */
  readonly written: unknown;
  readonly ms: number;
}

/** What a source's records say and what to do about it; null where their times are likely, or not known here. */
export function unlikelyTimes(records: readonly Message[], config: Config, now: number): string | null {
  const times = records.flatMap((record) => timeOf(record, config) ?? []);
  const odd = times.filter(({ ms }) => ms < EARLIEST_MS || ms > now + MAX_AHEAD_MS);
  const first = odd[0];
  if (first === undefined) return null;
  const isEarly = first.ms < EARLIEST_MS;
  const place = isEarly ? "before 2000" : "more than a day ahead";
  const share = `${odd.length} of ${times.length} times in the newest records are ${place}`;
  const example = `\`${String(first.written)}\` read as ${moment(first.ms)}`;
  return `${share}, such as ${example}. ${cure(first, config, now)}`;
}

function cure({ ms }: Found, config: Config, now: number): string {
  const isLikely = (other: number) => other >= EARLIEST_MS && other <= now + MAX_AHEAD_MS;
  const isField = config.timestamp_from === "field";
  if (isLikely(ms * 1_000)) {
    return isField
      ? "They look like seconds: choose `s` as `timestamp_unit`."
      : "They look like seconds: choose `field` as `timestamp_from`, `timestamp` as the field and `s` as the unit.";
  }
  if (isLikely(ms / 1_000)) {
    const field = isField ? String(config.timestamp_field) : "timestamp";
    return `They look like microseconds: write \`${field} / 1000\` as \`timestamp_field\`, with the unit \`ms\`.`;
  }
  return ms > now
    ? "One such record makes later records late. Set `max_ahead_ms`, or choose another `timestamp_field`."
    : "Choose the field that holds the time of the record as `timestamp_field`.";
}

/** The time of a record as the source would read it; null where only the server could compute it. */
function timeOf(record: Message, config: Config): Found | null {
  if (config.timestamp_from === "wall_clock") return null;
  if (config.timestamp_from !== "field") return { written: record.timestamp, ms: record.timestamp };
  const written = config.timestamp_field === "timestamp" ? record.timestamp : fieldOf(record, config.timestamp_field);
  if (typeof written !== "number" && typeof written !== "string") return null;
  const ms = config.timestamp_unit === "iso" ? Date.parse(String(written)) : Number(written);
  return Number.isFinite(ms) ? { written, ms: config.timestamp_unit === "s" ? ms * 1_000 : ms } : null;
}

/** What a record's JSON holds at a plain path such as `at` or `value.order.at`. */
function fieldOf({ value }: Message, path: unknown): unknown {
  if (typeof path !== "string" || !PATH.test(path) || value === null) return undefined;
  try {
    const within = (held: unknown, name: string) => (held as Record<string, unknown> | undefined)?.[name];
    return path
      .replace(/^value\./, "")
      .split(".")
      .reduce<unknown>(within, JSON.parse(value));
  } catch {
    return undefined;
  }
}
