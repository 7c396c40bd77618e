import type { Point } from "./history";
import type { LiveState, Numbers, SourceNumbers } from "./state";

const STALE_MS = 5_000;
const LIVE: readonly string[] = ["starting", "restoring", "running", "stopping"];

type Lag = Pick<SourceNumbers, "total_lag" | "lag_s" | "trend">;

/** How far behind some topics are together: the time and the trend are those of the one that is furthest behind. */
export function lagTogether(sources: readonly Lag[]): Lag | null {
  const known = sources.filter(({ total_lag }) => total_lag !== null);
  const [first, ...others] = known.toSorted((one, other) => (other.lag_s ?? 0) - (one.lag_s ?? 0));
  if (first === undefined || others.length === 0) return first ?? null;
  return { ...first, total_lag: known.reduce((sum, { total_lag }) => sum + (total_lag ?? 0), 0) };
}

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
    memory_bytes: numbers.memory,
    state_rows: numbers.state.rows,
    state_bytes: numbers.state.bytes,
  };
}
