/** The toolbar's texts and questions. They tell users before a click what stays and what is lost. */
import type { Issue } from "../../../../api/types";
import { isLooseEnd } from "../../../../editor/checking/fresh";
import type { View } from "../../../../editor/interface/interfaceStore";

export const STOP =
  "The job finishes its current batch, then stops. Nothing is lost: it continues there when you start it.";

export const STOP_TO_DELETE = "Stop the job first. It finishes its current batch.";

export const DELETE_JOB = {
  goes: "Its runs, its state and its numbers.",
  stays: "Every topic with its records, and the topology with its versions.",
};

export const DELETE_TOPOLOGY = {
  goes: "The topology and all of its versions.",
  stays: "Every topic with its records.",
};

export const DELETE_BOTH = {
  goes: "The topology, all of its versions, and the job with its runs, its state and its numbers.",
  stays: "Every topic with its records.",
};

/** Why Deploy opens the problems instead. */
export function describeProblems(issues: readonly Pick<Issue, "code">[]): string {
  const amount = issues.filter((issue) => !isLooseEnd(issue)).length;
  if (amount === 0) return "Finish the drawing before deploying.";
  return `Fix ${amount} ${amount === 1 ? "problem" : "problems"} before deploying.`;
}

/** The switch's words for draft, version and past. */
export function describeView(view: Exclude<View, "version">, isEqual: boolean | null, version: number): string {
  if (view === "past") return "The job as it was in a kept batch.";
  if (isEqual === null) return view === "draft" ? "The draft that you edit." : `Version ${version}, as deployed.`;
  if (view === "draft") return `The draft ${isEqual ? "is the same as" : "differs from"} version ${version}.`;
  return isEqual ? `Version ${version}, which is the same as the draft.` : `Version ${version}, as deployed.`;
}

/** The effect of a name before there is a job. */
export function explainName(slug: string): string {
  return `The first deploy will name the job, its group and its topics \`${slug}\`. Later names change none of them.`;
}

/** What a rename does not change, if there is a job. */
export function explainRename(applicationId: string): string {
  return `The application id stays \`${applicationId}\`, so the job keeps its group, topics and state.`;
}
