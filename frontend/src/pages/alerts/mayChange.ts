/** Who may silence alerts and change rules: operators of a job's project. For the rest, who may change clusters. */
import { explainWhyNot, explainWhyNotClusters } from "../../api/rights";
import type { Job, Kind, Rights, Rule } from "../../api/types";

export type Jobs = readonly Pick<Job, "id" | "project">[] | null;

/** Why the user may not act on alerts of a job, or without one on those of all jobs and hosts. Null if they may. */
export function explainWhyNotOf(job: number | null, jobs: Jobs, rights: Rights | null): string | null {
  if (job === null) return explainWhyNotClusters(rights);
  return explainWhyNot(rights, "operator", jobs?.find(({ id }) => id === job)?.project);
}

/** The same for a rule. In the dialog of a rule of all jobs, an operator of any project may set one there. */
export function explainWhyNotRule(
  { is_of_host }: Pick<Kind, "is_of_host">,
  { job, project }: Pick<Rule, "job" | "project">,
  jobs: Jobs,
  rights: Rights | null,
): string | null {
  if (job !== null) return explainWhyNotOf(job, jobs, rights);
  if (project !== null) return explainWhyNot(rights, "operator", project);
  const why = explainWhyNotClusters(rights);
  return why === null || is_of_host ? why : explainWhyNot(rights, "operator");
}
