import { STALE_MS } from "../api/values";
import type { Point } from "./history";
import type { LiveState, Numbers, SourceNumbers } from "./state";

const LIVE: readonly string[] = ["starting", "restoring", "running", "stopping"];

type Lag = Pick<SourceNumbers, "total_lag" | "lag_s" | "trend">;

/**
 * The lag of several topics together. The time and the trend are those of the largest lag: of one that nothing is read
 * from, if there is one. Unknown (null) while one lag is.
 */
export function mergeLags(sources: readonly Lag[]): Lag | null {
  const [first, ...others] = sources.toSorted((one, other) => rank(one) - rank(other));
  if (first === undefined || sources.some(({ total_lag }) => total_lag === null)) return null;
  if (others.length === 0) return first;
  return { ...first, total_lag: sources.reduce((sum, { total_lag }) => sum + (total_lag ?? 0), 0) };
}

/** The furthest behind comes first. Without a time nothing moves. */
function rank({ lag_s: seconds }: Lag): number {
  return seconds === null ? -Number.MAX_VALUE : -seconds;
}

/** The age of the numbers if they are too old for a live run, else null. */
export function findStaleAge(state: LiveState | null, now: number): number | null {
  if (state === null || state.heard_at === null || !LIVE.includes(state.jobStatus.status)) return null;
  const age = now - state.heard_at;
  return age > STALE_MS ? age : null;
}

/** The numbers that a sparkline keeps. */
export function makePoint(numbers: Numbers): Point {
  return {
    at: numbers.at,
    rate: numbers.rate,
    lag: numbers.lag,
    waiting: numbers.waiting,
    latency_ms: numbers.latency_ms,
    batch_ms: numbers.batch.duration_ms ?? null,
    memory_bytes: numbers.memory,
    state_rows: numbers.state?.rows ?? null,
    state_bytes: numbers.state?.bytes ?? null,
  };
}
