import type { Cause, Standing } from "./state";

/** Why a job does not run as wanted: the job's problem first, then its run's failure. */
export function findProblem(standing: Standing): Cause | null {
  if (standing.problem !== null) return standing.problem;
  const isGone = standing.status !== "running" && standing.desired === "running";
  return isGone || standing.status === "failed" ? standing.failure : null;
}
