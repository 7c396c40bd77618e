import type { Cause, JobStatus } from "./state";

/** Whether runs of a job fail one after the other. One failure may be an accident, which the next run repairs. */
export function isFailing({ failed_runs }: Pick<JobStatus, "failed_runs">): boolean {
  return failed_runs > 1;
}

/** Why a job does not run as wanted: the job's problem, else its run's failure, else why its runs fail in a row. */
export function findProblem(jobStatus: JobStatus): Cause | null {
  if (jobStatus.problem !== null) return jobStatus.problem;
  const isGone = jobStatus.status !== "running" && jobStatus.desired === "running";
  const failure = isGone || jobStatus.status === "failed" ? jobStatus.failure : null;
  return failure ?? (isFailing(jobStatus) ? jobStatus.last_failure : null);
}

/** Why the last run failed, until the next one runs. */
export function findSetback({ status, desired, last_failure: cause }: JobStatus): Cause | null {
  return desired === "running" && status !== "running" ? cause : null;
}

/** That runs fail in a row, and what happens next. Empty if they do not, or if no further run starts. */
export function describeLoop({ failed_runs, is_blocked }: Pick<JobStatus, "failed_runs" | "is_blocked">): string {
  if (is_blocked || !isFailing({ failed_runs })) return "";
  return `${failed_runs} runs failed in a row, and nothing is processed. Streamwright tries again by itself.`;
}
