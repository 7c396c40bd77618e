import type { Cause, JobStatus } from "./state";

type Trouble = Pick<JobStatus, "status" | "desired" | "problem" | "failure" | "last_failure" | "failed_runs">;

/** Whether runs of a job fail one after the other. One failure may be an accident, which the next run repairs. */
export function isFailing({ failed_runs }: Pick<JobStatus, "failed_runs">): boolean {
  return failed_runs > 1;
}

/** Why a job does not run as wanted: the job's problem, else its run's failure, else why its runs fail in a row. */
export function findProblem(jobStatus: Trouble): Cause | null {
  if (jobStatus.problem !== null) return jobStatus.problem;
  const isGone = jobStatus.status !== "running" && jobStatus.desired === "running";
  const failure = isGone || jobStatus.status === "failed" ? jobStatus.failure : null;
  return failure ?? (isFailing(jobStatus) ? jobStatus.last_failure : null);
}

/** Why the last run failed, until the next one runs. */
export function findSetback({ status, desired, last_failure: cause }: Trouble): Cause | null {
  return desired === "running" && status !== "running" ? cause : null;
}

type Tries = Pick<JobStatus, "failed_runs" | "is_blocked" | "problem">;

/** That runs fail in a row, and what happens next: another run, or why there is none. Empty if they do not. */
export function describeLoop({ failed_runs, is_blocked, problem }: Tries): string {
  if (is_blocked) {
    const why = problem?.given_up ?? "";
    return `Streamwright does not retry. ${why} Fix the cause, then restart or deploy the job.`.replace("  ", " ");
  }
  if (!isFailing({ failed_runs })) return "";
  return `${failed_runs} runs failed in a row, and nothing is processed. Streamwright tries again by itself.`;
}
