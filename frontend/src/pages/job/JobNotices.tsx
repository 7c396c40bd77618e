import type { Cause, JobStatus } from "../../live/state";
import type { LiveJob } from "../../live/useLiveJob";
import { useNow } from "../../live/useNow";
import { formatAge } from "../../ui/text/format";
import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { describeLoop, findProblem } from "../../live/problem";
import { CauseDetails } from "../../ui/messages/CauseDetails";
import { LostNotice } from "./runs/LostNotice";
import { RetryNotice } from "./runs/RetryNotice";
import { SmallBatchesNotice } from "./runs/SmallBatchesNotice";

interface Props {
  readonly live: LiveJob;
  /** Age of the numbers in ms, if they are too old. */
  readonly stale: number | null;
}

/** Problems with a job or its display: a failure, old numbers, a lost connection. */
export function JobNotices({ live, stale }: Props) {
  const jobStatus = live.state?.jobStatus ?? null;
  const problem = jobStatus === null ? null : findProblem(jobStatus);
  const now = useNow();
  return (
    <>
      {jobStatus !== null && problem !== null && <ProblemNotice problem={problem} jobStatus={jobStatus} />}
      {jobStatus !== null && problem === null && <RetryNotice jobStatus={jobStatus} now={now} />}
      {jobStatus !== null && <SmallBatchesNotice jobStatus={jobStatus} />}
      {jobStatus !== null && <LostNotice jobStatus={jobStatus} now={now} />}
      {live.connection === "lost" && (
        <Notice tone="warn" title="The connection to the server is lost.">
          <p>Trying again. Until then, the last known state is shown.</p>
        </Notice>
      )}
      {live.connection === "gone" && (
        <Notice tone="warn" title="This job no longer exists.">
          <p>It was deleted. The page shows its last known state.</p>
        </Notice>
      )}
      {live.connection !== "lost" && live.connection !== "gone" && stale !== null && (
        <Notice tone="warn" title={`These numbers are ${formatAge(stale)} old.`}>
          <p>The run has sent none since. It may be in a long step, or it may have ended.</p>
        </Notice>
      )}
    </>
  );
}

function ProblemNotice({ problem, jobStatus }: { readonly problem: Cause; readonly jobStatus: JobStatus }) {
  const loop = describeLoop(jobStatus);
  return (
    <Notice tone="bad" title={problem.message}>
      <p>
        <Prose text={problem.hint} />
      </p>
      {loop !== "" && <p>{loop}</p>}
      <CauseDetails cause={problem} />
    </Notice>
  );
}
