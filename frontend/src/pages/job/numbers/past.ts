/** What the charts of a job's past show. */
import type { PastNumbers } from "../../../api/types";
import { shortenNumber, shortenTime } from "../../../drawer/metrics/series";
import type { Lines, Look } from "../../../drawer/metrics/plot";
import { formatBytes, formatCount, formatDuration, formatRate } from "../../../numbers/format";

export const SPANS = [
  { value: "hour", word: "Hour", phrase: "the last hour" },
  { value: "six_hours", word: "6 hours", phrase: "the last six hours" },
  { value: "day", word: "Day", phrase: "the last day" },
  { value: "week", word: "Week", phrase: "the last week" },
] as const;
export type Span = (typeof SPANS)[number]["value"];

export interface PastChart {
  readonly title: string;
  /** The names of its lines, as the server gives them, and a word for each where there are several. */
  readonly lines: readonly { readonly name: string; readonly word: string }[];
  readonly say: (value: number | null) => string;
  readonly tick: (value: number) => string;
}

const perSecond = (value: number | null) => `${formatRate(value)}/s`;
const share = (value: number | null) => `${formatCount(value === null ? null : value * 100)} %`;
const shareTick = (value: number) => `${Math.round(value * 100)} %`;

function percentile(percent: number): readonly [string, string] {
  return [`latency_p${percent}_ms`, `p${percent}`];
}

function chart(
  title: string,
  say: PastChart["say"],
  tick: PastChart["tick"],
  ...names: readonly (string | readonly [string, string])[]
): PastChart {
  const lines = names.map((name) =>
    typeof name === "string" ? { name, word: "" } : { name: name[0], word: name[1] },
  );
  return { title, lines, say, tick };
}

export const OF_JOB: readonly PastChart[] = [
  chart("Throughput", perSecond, shortenNumber, "rate"),
  chart("Lag", (value) => `${formatCount(value)} records`, shortenNumber, "lag"),
  chart("Latency", formatDuration, shortenTime, ...([50, 95, 99] as const).map(percentile)),
  chart("Batch time", formatDuration, shortenTime, "batch_ms"),
  chart("State", formatBytes, formatBytes, "state_bytes"),
  chart("Memory", formatBytes, formatBytes, "memory_bytes"),
];

export const OF_NODE: readonly PastChart[] = [
  chart("Records", perSecond, shortenNumber, ["in_per_s", "in"], ["out_per_s", "out"]),
  chart("Dropped", perSecond, shortenNumber, "dropped_per_s"),
  chart("Errors", perSecond, shortenNumber, "errors_per_s"),
  chart("Busy", share, shareTick, "busy"),
  chart("State", formatBytes, formatBytes, "state_bytes"),
];

const TONES = ["--accent", "--family-join", "--bad"] as const;

/** How the lines of a chart are drawn; those of the day before are quiet and dashed, and several have no word. */
export function looksOf({ lines }: PastChart, hasBefore: boolean): readonly Look[] {
  const isFilled = lines.length === 1 && !hasBefore;
  const now = lines.map(({ word }, place) => ({ tone: TONES[place] ?? "--accent", word, isFilled }));
  const before = lines.map(({ word }) => ({ tone: "--faint", word: word === "" ? "yesterday" : "", isDashed: true }));
  return hasBefore ? [...now, ...before] : now;
}

/** Its lines with their times in s, then those of the day before. */
export function linesOf({ lines }: PastChart, { at, lines: now, before }: PastNumbers): Lines {
  const times = at.map((moment) => Date.parse(moment) / 1_000);
  const none = times.map(() => null);
  const columns = [now, ...(before === null ? [] : [before])].flatMap((numbers) =>
    lines.map(({ name }) => numbers[name] ?? none),
  );
  return [times, ...columns];
}

/** Whether anything is known of it. */
export function isKnown({ lines }: PastNumbers): boolean {
  return Object.values(lines).some((line) => line.some((value) => value !== null));
}
