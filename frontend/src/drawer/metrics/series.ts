/** Columns of times and numbers for the charts of the last hour. */
import { type Point } from "../../live/history";
import { formatAmount, formatDuration, formatPerSecond } from "../../ui/text/format";

export type Measure = Exclude<keyof Point, "at" | "memory_bytes" | "state_rows" | "state_bytes">;

interface MeasureFormat {
  readonly measure: Measure;
  readonly word: string;
  /** The newest value, or the one under the cursor, with its unit. */
  readonly say: (value: number | null) => string;
  /** A number of the axis. */
  readonly tick: (value: number) => string;
}

const formatTime = (value: number | null) => formatDuration(value);

export const MEASURES: readonly MeasureFormat[] = [
  { measure: "rate", word: "Throughput", say: formatPerSecond, tick: shortenNumber },
  { measure: "lag", word: "Lag", say: (value) => formatAmount(value, "record"), tick: shortenNumber },
  { measure: "latency_ms", word: "Latency", say: formatTime, tick: shortenTime },
  { measure: "batch_ms", word: "Batch time", say: formatTime, tick: shortenTime },
];

/** Larger distances between points are gaps: no line crosses them. */
const GAP_MS = 10_000;

/** Seconds since 1970, and the number at each. Null if unknown. */
export type Columns = readonly [readonly number[], readonly (number | null)[]];

export function makeColumns(points: readonly Point[], measure: Measure): Columns {
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && point.at - before.at > GAP_MS) {
      times.push((before.at + 1) / 1_000);
      values.push(null);
    }
    times.push(point.at / 1_000);
    values.push(point[measure]);
  }
  return [times, values];
}

/** The newest known number of a line: the last minutes of a job's past may not be known yet. */
export function findNewest(line: readonly (number | null)[] = []): number | null {
  return line.findLast((value) => value !== null) ?? null;
}

const MIN_S = 300;

/** The start and end (s) of a chart: its times, at least five minutes. */
export function findSpan(times: readonly number[]): readonly [number, number] {
  const last = times.at(-1) ?? 0;
  return [Math.min(times[0] ?? last, last - MIN_S), last];
}

const LABEL = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** 9,500, 12 k, 1.5 M: short enough for an axis. */
export function shortenNumber(value: number): string {
  if (Math.abs(value) >= 1e6) return `${formatNumber(value / 1e6)} M`;
  return Math.abs(value) >= 1e4 ? `${formatNumber(value / 1e3)} k` : formatNumber(value);
}

/** Steps (ms) of an axis of times: `shortenTime` writes their multiples without long fractions. */
export const TIME_STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * 1_000),
  ...[2, 5, 10, 20, 30, 60, 120, 300, 600, 1_440, 2_880, 7_200].map((minutes) => minutes * 60_000),
];

/** 500 ms, 1.5 s, 2 min */
export function shortenTime(ms: number): string {
  if (ms >= 120_000) return `${formatNumber(ms / 60_000)} min`;
  return ms >= 1_000 ? `${formatNumber(ms / 1_000)} s` : `${formatNumber(ms)} ms`;
}

function formatNumber(value: number): string {
  return LABEL.format(value);
}
