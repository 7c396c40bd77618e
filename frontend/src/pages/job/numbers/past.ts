/** The charts of a job's past. */
import type { PastNumbers } from "../../../api/types";
import { shortenNumber, shortenTime } from "../../../drawer/metrics/series";
import type { Lines, Look } from "../../../drawer/metrics/plot";
import {
  formatAmount,
  formatBytes,
  formatCount,
  formatDuration,
  formatPerSecond,
  UNKNOWN,
} from "../../../ui/text/format";

export const SPANS = [
  { value: "hour", word: "Hour", phrase: "the last hour" },
  { value: "six_hours", word: "6 hours", phrase: "the last six hours" },
  { value: "day", word: "Day", phrase: "the last day" },
  { value: "week", word: "Week", phrase: "the last week" },
] as const;
export type Span = (typeof SPANS)[number]["value"];

export interface PastChart {
  readonly title: string;
  /** The server's names of its lines, with a word for each if there are several. */
  readonly lines: readonly { readonly name: string; readonly word: string }[];
  readonly say: (value: number | null) => string;
  readonly tick: (value: number) => string;
}

const formatShare = (value: number | null) => (value === null ? UNKNOWN : `${formatCount(value * 100)} %`);
const formatShareTick = (value: number) => `${Math.round(value * 100)} %`;

function namePercentile(percent: number): readonly [string, string] {
  return [`latency_p${percent}_ms`, `p${percent}`];
}

function makeChart(
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
  makeChart("Throughput", formatPerSecond, shortenNumber, "rate"),
  makeChart("Lag", (value) => formatAmount(value, "record"), shortenNumber, "lag"),
  makeChart("Latency", formatDuration, shortenTime, ...([50, 95, 99] as const).map(namePercentile)),
  makeChart("Batch time", formatDuration, shortenTime, "batch_ms"),
  makeChart("State", formatBytes, formatBytes, "state_bytes"),
  makeChart("Memory", formatBytes, formatBytes, "memory_bytes"),
];

export const OF_NODE: readonly PastChart[] = [
  makeChart("Records", formatPerSecond, shortenNumber, ["in_per_s", "in"], ["out_per_s", "out"]),
  makeChart("Dropped", formatPerSecond, shortenNumber, "dropped_per_s"),
  makeChart("Errors", formatPerSecond, shortenNumber, "errors_per_s"),
  makeChart("Busy", formatShare, formatShareTick, "busy"),
  makeChart("State", formatBytes, formatBytes, "state_bytes"),
];

const TONES = ["--accent", "--family-join", "--bad"] as const;

/** The look of a chart's lines. Those of the day before are pale and dashed, and several have no word. */
export function chooseLooks({ lines }: PastChart, hasBefore: boolean): readonly Look[] {
  const isFilled = lines.length === 1 && !hasBefore;
  const now = lines.map(({ word }, place) => ({ tone: TONES[place] ?? "--accent", word, isFilled }));
  const before = lines.map(({ word }) => ({ tone: "--faint", word: word === "" ? "yesterday" : "", isDashed: true }));
  return hasBefore ? [...now, ...before] : now;
}

/** Its lines with times in s, then those of the day before. */
export function makeLines({ lines }: PastChart, { at, lines: now, before }: PastNumbers): Lines {
  const times = at.map((moment) => Date.parse(moment) / 1_000);
  const none = times.map(() => null);
  const columns = [now, ...(before === null ? [] : [before])].flatMap((numbers) =>
    lines.map(({ name }) => numbers[name] ?? none),
  );
  return [times, ...columns];
}

/** Whether it has any values. */
export function isKnown({ lines }: PastNumbers): boolean {
  return Object.values(lines).some((line) => line.some((value) => value !== null));
}
