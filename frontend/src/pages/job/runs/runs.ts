import type { Run, VersionSummary } from "../../../api/types";
import type { JobStatus, LostExecutor } from "../../../live/state";

/** The duration of a run until its end or `now`, in ms. Null before it began. */
export function measureDuration(run: Pick<Run, "started_at" | "ended_at">, now: number): number | null {
  if (run.started_at === null) return null;
  const end = run.ended_at === null ? now : Date.parse(run.ended_at);
  return Math.max(0, end - Date.parse(run.started_at));
}

/** The version's number for people. If it is deleted, its id with a question mark. */
export function findVersionNumber(id: number, versions: readonly Pick<VersionSummary, "id" | "number">[]): string {
  const match = versions.find((version) => version.id === id);
  return match === undefined ? `?${id}` : String(match.number);
}

const SOON_MS = 1_000;

/** The remaining wait (ms) of a run after a failed one. Null if none waits. */
export function measureWait({ status, start_after }: JobStatus, now: number): number | null {
  if (status !== "starting" || start_after === null) return null;
  const rest = Date.parse(start_after) - now;
  return rest > SOON_MS ? Math.ceil(rest / SOON_MS) * SOON_MS : null;
}

const RECENT_MS = 600_000;

/** The losses of a live run in the last ten minutes, the newest first. */
export function listRecentLosses({ lost_executors, ended_at }: JobStatus, now: number): readonly LostExecutor[] {
  return ended_at === null ? lost_executors.filter(({ at }) => now - at < RECENT_MS).reverse() : [];
}
