import { useNow } from "../../../../live/useNow";
import { useLive } from "../../../../live/LiveContext";
import type { JobStatus } from "../../../../live/state";
import { formatAge } from "../../../../ui/text/format";
import { StatusWord } from "../../../../ui/display/StatusWord";
import { measureWait } from "../../../job/runs/runs";
import { findProblem, isFailing } from "../../../../live/problem";
import { areShown, describeStart, formatSeconds, hasReadAll, listSteps } from "./steps";
import { useEffect, useState } from "react";

interface Props {
  readonly jobStatus: JobStatus;
  readonly version: number;
}

/** The job's status, its running version, and its progress while it starts. */
export function JobState({ jobStatus, version }: Props) {
  const now = useNow();
  const waits = measureWait(jobStatus, now);
  const isStarting = areShown(jobStatus, now);
  const title = findProblem(jobStatus)?.message ?? describeStart(jobStatus.steps);
  return (
    <div className="job-state">
      <span role="status" aria-label="Status of the job" title={title}>
        <StatusWord status={jobStatus.status} isFailing={isFailing(jobStatus)} />
      </span>
      {waits !== null && <span className="number">Next try in {formatAge(waits)}</span>}
      {waits === null && isStarting && <StartSteps jobStatus={jobStatus} />}
      <span className="number" role="status" aria-label="Version that runs">
        Version {version}
      </span>
    </div>
  );
}

const TICK_MS = 100;

/** The steps of a job's start, with seconds. The current step counts up. */
function StartSteps({ jobStatus }: { readonly jobStatus: JobStatus }) {
  const steps = jobStatus.steps;
  const waits = useLive(({ state }) => hasReadAll(state?.numbers ?? null));
  const now = useTicks(steps.at(-1)?.step !== "running", TICK_MS);
  return (
    <div className="start-steps" role="status" aria-label="Start of the job">
      <ol>
        {listSteps(steps, now, waits).map(({ word, ms, isCurrent }, index) => (
          <li key={`${word} ${index}`} className={isCurrent ? "current" : "is-past"}>
            {index > 0 && <span className="between"> · </span>}
            {word}
            {ms !== null && (
              <span className="number" aria-hidden={isCurrent}>
                {" "}
                {formatSeconds(ms)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The time in milliseconds, renewed every `ms` while `on`. */
function useTicks(isOn: boolean, ms: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = window.setInterval(() => setNow(Date.now()), ms);
    return () => window.clearInterval(timer);
  }, [isOn, ms]);
  return now;
}
