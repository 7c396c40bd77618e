import type { Point } from "./history";
import type { LiveState, Numbers } from "./state";

const STALE_MS = 5_000;
const LIVE: readonly string[] = ["starting", "restoring", "running", "stopping"];

/** Records not read yet, over all sources; null while no source's lag is known. */
export function totalLag(numbers: Numbers | null): number | null {
  const lags = Object.values(numbers?.sources ?? {}).flatMap((source) => source.total_lag ?? []);
  return lags.length === 0 ? null : lags.reduce((sum, lag) => sum + lag, 0);
}

/** How old the numbers are when they are older than they should be of a run that is alive; else null. */
export function staleFor(state: LiveState | null, now: number): number | null {
  if (state === null || state.heard_at === null || !LIVE.includes(state.standing.status)) return null;
  const age = now - state.heard_at;
  return age > STALE_MS ? age : null;
}

/** What of the numbers a sparkline keeps. */
export function pointOf(numbers: Numbers): Point {
  return {
    at: numbers.at,
    rate: numbers.rate,
    lag: totalLag(numbers),
    latency_ms: numbers.latency_ms,
    batch_ms: numbers.batch.duration_ms ?? null,
    state_rows: numbers.state.rows,
    state_bytes: numbers.state.bytes,
  };
}
