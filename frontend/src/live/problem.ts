import type { Cause, JobStatus } from "./state";

/** Why a job does not run as wanted: the job's problem first, then its run's failure. */
export function findProblem(jobStatus: JobStatus): Cause | null {
  if (jobStatus.problem !== null) return jobStatus.problem;
  const isGone = jobStatus.status !== "running" && jobStatus.desired === "running";
  return isGone || jobStatus.status === "failed" ? jobStatus.failure : null;
}
