import { useState } from "react";
import { stopRedrive } from "../../api/calls";
import { toRefusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { Job, Redrive, TriedDeadLetters } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { describeRedrive, describeTrial, groupFailures } from "./deadLetters";
import { formatAmount, formatRecordPlace } from "../../ui/text/format";

interface Props {
  readonly job: Job;
  readonly redrive: Redrive;
  readonly onChange: () => Promise<void>;
}

const MAX_SHOWN = 5;

/** The progress of the newest redrive, and the records that cannot go back. */
export function RedriveNotice({ job, redrive, onChange }: Props) {
  const [refusal, setRefusal] = useState("");
  const why = useWhyNot("operator", job.project);
  const isRunning = redrive.status === "running";
  const stop = () => {
    stopRedrive(job.id, redrive.id).then(onChange, (error: unknown) => setRefusal(toRefusal(error).message));
  };
  const tone = redrive.problem !== "" || redrive.refused.length > 0 ? "warn" : "info";
  return (
    <Notice
      tone={tone}
      title={describeRedrive(redrive)}
      action={
        isRunning ? (
          <Button why={why} onClick={stop}>
            Stop
          </Button>
        ) : undefined
      }
    >
      {isRunning && <progress aria-label="Records sent back" value={redrive.sent} max={redrive.records} />}
      {(redrive.problem !== "" || refusal !== "") && (
        <p>
          <Prose text={[redrive.problem, refusal].join(" ").trim()} />
        </p>
      )}
      {redrive.refused.length > 0 && (
        <ul>
          {redrive.refused.slice(0, MAX_SHOWN).map(({ letters, why }, index) => (
            <li key={index}>
              {letters[0] && <span className="number">{formatRecordPlace(letters[0])}</span>}{" "}
              <Prose text={why} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** The draft's results for the letters, and reasons for failures. */
export function TriedNotice({ trial }: { readonly trial: TriedDeadLetters }) {
  const failing = groupFailures(trial);
  const reasons = [...new Set(trial.untried.map(({ why }) => why))].slice(0, 3);
  return (
    <Notice tone={trial.failing.length + trial.untried.length > 0 ? "warn" : "info"} title={describeTrial(trial)}>
      <ul>
        {failing.map(({ node, reason, count }) => (
          <li key={`${node} ${reason}`}>
            {formatAmount(count, "record")} would fail at <code className="node">{node}</code>: <Prose text={reason} />
          </li>
        ))}
        {reasons.map((why) => (
          <li key={why}>
            Not tried: <Prose text={why} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
