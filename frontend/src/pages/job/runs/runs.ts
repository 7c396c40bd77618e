import type { Run, VersionSummary } from "../../../api/types";

/** How long a run lasted, or has lasted by `now`, in ms; null before it began. */
export function measureDuration(run: Pick<Run, "started_at" | "ended_at">, now: number): number | null {
  if (run.started_at === null) return null;
  const end = run.ended_at === null ? now : Date.parse(run.ended_at);
  return Math.max(0, end - Date.parse(run.started_at));
}

/** The number people know a version by; its id with a question mark when it is gone. */
export function findVersionNumber(id: number, versions: readonly Pick<VersionSummary, "id" | "number">[]): string {
  const match = versions.find((version) => version.id === id);
  return match === undefined ? `?${id}` : String(match.number);
}
