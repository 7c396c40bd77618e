/** The geometry of a few windows over the times of their records, from 0 to `WIDTH`. */
import type { TriedWindows } from "../../api/types";

export const WIDTH = 260;
export const ROW = 14;
const MAX_ROWS = 8;
/** Even a window without length, such as a session of one record, stays visible. */
const LEAST = 3;

export interface Bar {
  readonly start: number;
  readonly end: number;
  readonly x: number;
  readonly width: number;
  /** Length of the grace period after it. */
  readonly grace: number;
  readonly y: number;
  readonly dots: readonly number[];
}

interface Picture {
  readonly bars: readonly Bar[];
  readonly from: number;
  readonly to: number;
  /** Number of earlier windows that are left out. */
  readonly remainder: number;
}

/**
 * The last windows, one below the other. Windows of several keys with the same bounds are one. Null if there are none.
 */
export function drawWindows({ windows, grace_ms }: Pick<TriedWindows, "windows" | "grace_ms">): Picture | null {
  const together = new Map<string, { start: number; end: number; times: readonly number[] }>();
  for (const { start, end, times } of windows) {
    const key = `${start} ${end}`;
    together.set(key, { start, end, times: [...(together.get(key)?.times ?? []), ...times] });
  }
  const all = [...together.values()];
  const rows = all.slice(-MAX_ROWS);
  const [first] = rows;
  if (first === undefined) return null;
  const from = first.start;
  const lastTime = Math.max(...rows.flatMap(({ times }) => times));
  // a window without end reaches to its last record, and a long grace period as far as all windows together
  const lastEnd = Math.max(...rows.map(({ end }) => (isEndless(end) ? lastTime : end)));
  const to = Math.max(lastEnd + Math.min(grace_ms, lastEnd - from), from + 1);
  const at = (time: number) => ((Math.min(time, to) - from) / (to - from)) * WIDTH;
  const bars = rows.map(({ start, end, times }, row) => ({
    start,
    end,
    x: at(start),
    width: Math.max(LEAST, at(end) - at(start)),
    grace: Math.max(0, at(end + grace_ms) - at(end)),
    y: row * ROW,
    dots: [...new Set(times.map((time) => Math.round(at(time))))],
  }));
  return { bars, from, to, remainder: all.length - rows.length };
}

function isEndless(end: number): boolean {
  return end > Date.UTC(9999, 0);
}
