import { useState } from "react";
import type { Cause, JobStatus } from "../../../../live/state";
import { useNow } from "../../../../live/useNow";
import { CauseDetails } from "../../../../ui/messages/CauseDetails";
import { LostNotice } from "../../../job/runs/LostNotice";
import { RetryNotice } from "../../../job/runs/RetryNotice";
import { describeLoop, findProblem } from "../../../../live/problem";
import { Button } from "../../../../ui/controls/Button";
import { Icon } from "../../../../ui/icons/Icon";
import { Notice } from "../../../../ui/messages/Notice";
import { Prose } from "../../../../ui/messages/Prose";
import { IconButton } from "../parts/IconButton";

interface Props {
  readonly jobStatus: JobStatus;
  readonly restart: () => void;
}

/** Why the job does not run as wanted: the problem, the next step, the place. Users can hide it until it changes. */
export function JobNotice({ jobStatus, restart }: Props) {
  const [away, setAway] = useState("");
  const now = useNow();
  const problem = findProblem(jobStatus);
  const key = `${jobStatus.run ?? ""} ${problem?.code ?? ""} ${problem?.message ?? ""}`;
  if (away === key) return null;
  const dismiss = () => setAway(key);
  if (problem !== null) return <ProblemNotice {...{ problem, jobStatus, restart, dismiss }} />;
  return (
    <>
      <RetryNotice jobStatus={jobStatus} now={now} />
      <LostNotice jobStatus={jobStatus} now={now} />
    </>
  );
}

interface ProblemProps {
  readonly problem: Cause;
  readonly jobStatus: JobStatus;
  readonly restart: () => void;
  readonly dismiss: () => void;
}

function ProblemNotice({ problem, jobStatus, restart, dismiss }: ProblemProps) {
  const buttons = (
    <div className="ways">
      {jobStatus.status === "failed" && jobStatus.desired === "running" && (
        <Button icon="restart" onClick={restart}>
          Restart
        </Button>
      )}
      <IconButton name="Dismiss" title="Dismiss" onClick={dismiss}>
        <Icon name="close" size={12} />
      </IconButton>
    </div>
  );
  return (
    <Notice tone="bad" title={problem.message} action={buttons}>
      <p>
        <Prose text={problem.hint} />
        {` ${describeLoop(jobStatus)}`}
      </p>
      <CauseDetails cause={problem} />
    </Notice>
  );
}
