/** What the toolbar says and asks, so that everybody knows before pressing what stays and what goes. */
import type { View } from "../editor/store";

export const STOP = "The batch under way is finished first, and nothing is lost: started again, it goes on there.";

export const STOP_TO_DELETE = "The job must be stopped before; the batch under way is finished.";

export function restartWords(version: number): string {
  return `Version ${version} runs in a new process and goes on where the last one ended. State is kept.`;
}

export const DELETE_JOB = {
  goes: "Its runs, its state and its numbers.",
  stays: "Every topic with its records, and the drawing with its versions.",
};

export const DELETE_TOPOLOGY = {
  goes: "The drawing and all of its versions.",
  stays: "Every topic with its records.",
};

export const DELETE_BOTH = {
  goes: "The drawing, all of its versions, and the job with its runs, its state and its numbers.",
  stays: "Every topic with its records.",
};

/** Why Deploy opens the problems instead. */
export function problemWords(amount: number): string {
  return amount === 1 ? "One problem keeps it from being deployed." : `${amount} problems keep it from being deployed.`;
}

/** What the switch between draft and version says of both. */
export function viewTitle(view: View, equal: boolean | null, version: number): string {
  if (equal === null) return view === "draft" ? "What is being drawn." : `Version ${version}, as deployed.`;
  if (view === "draft") return `The draft ${equal ? "is the same as" : "differs from"} version ${version}.`;
  return equal ? `Version ${version}, which is the same as the draft.` : `Version ${version}, as deployed.`;
}

/** What a renaming leaves as it is, once there is a job. */
export function whatStays(applicationId: string): string {
  return `The application id stays \`${applicationId}\`, so the job keeps its group, topics and state.`;
}
