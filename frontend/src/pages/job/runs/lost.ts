import type { LostExecutor, Standing } from "../../../live/state";

const RECENT_MS = 600_000;

/** The losses of a live run in the last ten minutes, the newest first. */
export function listRecentLosses({ lost_executors, ended_at }: Standing, now: number): readonly LostExecutor[] {
  return ended_at === null ? lost_executors.filter(({ at }) => now - at < RECENT_MS).reverse() : [];
}
