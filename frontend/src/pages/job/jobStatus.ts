import type { JobStatus } from "../../live/state";

/** A text that changes with any stored fact about a job. "" while nothing is known. */
export function makeJobStatusKey(jobStatus: JobStatus | null): string {
  if (jobStatus === null) return "";
  const { status, desired, run, version, is_blocked, epoch, problem, lost_executors } = jobStatus;
  const losses = lost_executors.map(({ executor, took_ms }) => `${executor} ${took_ms}`);
  return [status, desired, run, version, is_blocked, epoch, problem?.code, ...losses].join(" ");
}
