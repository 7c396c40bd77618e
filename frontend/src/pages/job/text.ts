import { findProblem } from "../../live/problem";
import type { LiveState, SourceNumbers } from "../../live/state";

/**
 * The question of a start or restart, on the job's page and on the canvas. A topic that was deleted ends the next run,
 * if that is known: a run looks while it lives, and one that failed has told. Code is in backticks.
 */
export function describeRestart(version: number, state: LiveState | null): string {
  const problem = state === null ? null : findProblem(state.jobStatus);
  if (problem?.code === "topic.recreated" || problem?.code === "topic.missing") {
    return `The last run failed. ${problem.message} ${DEPLOY}`;
  }
  const gone = Object.entries(state?.numbers?.sources ?? {}).find(([, { changed }]) => isGone(changed));
  if (gone !== undefined) {
    return `The next run will fail: topic \`${gone[0]}\` was deleted since the job began to read it. ${DEPLOY}`;
  }
  return `Version ${version} starts in a new process and continues with the state and offsets of the last run.`;
}

const DEPLOY =
  "Create the topic again if it does not exist, then deploy the job instead: the dialog offers to keep its state and " +
  "continue with the new topic.";

function isGone(changed: SourceNumbers["changed"]): boolean {
  return changed === "gone" || changed === "recreated";
}
