import { expect, it } from "vitest";
import { describeLoop, findProblem, findSetback } from "./problem";
import { JOB_STATUS } from "./samples";
import type { JobStatus } from "./state";

const cause = { code: "run.failed", message: "A file is missing.", hint: "Look for it." } as const;
const TRYING: JobStatus = { ...JOB_STATUS, status: "starting", failure: null, last_failure: cause, failed_runs: 3 };

it("of a job whose runs fail in a row is why the last one failed, whatever the newest one does", () => {
  expect(findProblem(TRYING)).toBe(cause);
  expect(findProblem({ ...TRYING, status: "running" })).toBe(cause);
  expect(describeLoop(TRYING)).toBe(
    "3 runs failed in a row, and nothing is processed. Streamwright tries again by itself.",
  );
});

it("is none while the first failure is repaired by the next run", () => {
  expect(findProblem({ ...TRYING, failed_runs: 1 })).toBeNull();
  expect(describeLoop({ ...TRYING, failed_runs: 1 })).toBe("");
});

it("is a setback until the next run runs, or nobody wants one", () => {
  const once: JobStatus = { ...TRYING, failed_runs: 1 };

  expect(findSetback(once)).toBe(cause);
  expect(findSetback({ ...once, status: "running" })).toBeNull();
  expect(findSetback({ ...once, desired: "stopped" })).toBeNull();
});

it("promises no further try of a job that gave up, and says why it did", () => {
  const problem = { ...cause, given_up: "Batch 3 failed 3 times for the same reason." };

  expect(describeLoop({ ...TRYING, is_blocked: true, problem })).toBe(
    `Streamwright does not retry. ${problem.given_up} Fix the cause, then restart or deploy the job.`,
  );
  expect(describeLoop({ ...TRYING, is_blocked: true, problem: cause })).toBe(
    "Streamwright does not retry. Fix the cause, then restart or deploy the job.",
  );
});
