/** The start of a job, step by step, each with its duration. */
import type { JobStatus, Numbers, Step } from "../../../../live/state";

export interface ShownStep {
  readonly word: string;
  /** Its duration (ms), or the time so far. Null for the last one, which is the goal. */
  readonly ms: number | null;
  readonly isCurrent: boolean;
}

const WORDS: Readonly<Record<Step["step"], string>> = {
  session: "Session",
  kafka: "Waiting for Kafka",
  moving: "Copying the checkpoint",
  restoring: "Restoring",
  first_batch: "First batch",
  running: "Running",
};

const SHOWN_FOR_MS = 10_000;

/** `waits`: the job has read its topics to the end, so that a first batch lacks only records. */
export function listSteps(steps: readonly Step[], now: number, waits = false): ShownStep[] {
  return steps.map(({ step, at }, index) => {
    const next = steps[index + 1];
    if (step === "first_batch" && next === undefined && waits) return WAITING;
    const ms = step === "running" ? null : Math.max(0, (next?.at ?? now) - at);
    return { word: WORDS[step], ms, isCurrent: next === undefined && step !== "running" };
  });
}

const WAITING: ShownStep = { word: "Waiting for records", ms: null, isCurrent: true };

/** Whether a job has read all of its topics to the end, by numbers that it has reported. */
export function hasReadAll(numbers: Pick<Numbers, "sources"> | null): boolean {
  const lags = Object.values(numbers?.sources ?? {}).map(({ total_lag }) => total_lag);
  return lags.length > 0 && lags.every((lag) => lag === 0);
}

/** "Session 0.4 s · Restoring 1.2 s · First batch 0.8 s · Running" */
export function describeSteps(steps: readonly ShownStep[]): string {
  return steps.map(({ word, ms }) => (ms === null ? word : `${word} ${formatSeconds(ms)}`)).join(" · ");
}

/** The tooltip about a finished start, or "" before. */
export function describeStart(steps: readonly Step[]): string {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last?.step !== "running") return "";
  return `Started in ${formatSeconds(last.at - first.at)}: ${describeSteps(listSteps(steps, last.at))}`;
}

/** Whether to show the steps: during the start, and for a moment after. */
export function areShown({ status, steps }: Pick<JobStatus, "status" | "steps">, now: number): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  if (last.step === "running") return status === "running" && now - last.at < SHOWN_FOR_MS;
  return status === "starting" || status === "restoring" || status === "running";
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
