import type { Job } from "../../../../api/types";
import { useNow } from "../../../../live/useNow";
import type { Standing } from "../../../../live/state";
import { formatAge } from "../../../../ui/text/format";
import { StatusWord } from "../../../../ui/display/StatusWord";
import { measureWait } from "../../../job/runs/waiting";
import { findProblem } from "../../../../live/problem";
import { StartSteps } from "./StartSteps";
import { areShown, describeStart } from "./steps";
import { useRunningVersion } from "./useRunningVersion";

interface Props {
  readonly job: Job;
  readonly standing: Standing;
}

/** The job's status, its running version, and its progress while it starts. */
export function JobState({ job, standing }: Props) {
  const now = useNow();
  const waits = measureWait(standing, now);
  const version = useRunningVersion(job, standing);
  const isStarting = areShown(standing, now);
  const title = findProblem(standing)?.message ?? describeStart(standing.steps);
  return (
    <div className="job-state">
      <span role="status" aria-label="Status of the job" title={title}>
        <StatusWord status={standing.status} />
      </span>
      {waits !== null && <span className="number">Next try in {formatAge(waits)}</span>}
      {waits === null && isStarting && <StartSteps standing={standing} />}
      <span className="number" role="status" aria-label="Version that runs">
        Version {version}
      </span>
    </div>
  );
}
