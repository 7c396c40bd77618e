import type { Run, VersionSummary } from "../../../api/types";

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
