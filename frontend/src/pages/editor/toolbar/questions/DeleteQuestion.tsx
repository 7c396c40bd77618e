import { useCallback, useState } from "react";
import { listSubjectsOf, stopJob } from "../../../../api/calls";
import { toRefusal, type Refusal } from "../../../../api/refusal";
import type { Job } from "../../../../api/types";
import { useResource } from "../../../../api/useResource";
import { Button } from "../../../../ui/controls/Button";
import { Dialog } from "../../../../ui/messages/Dialog";
import { RefusalNotice } from "../../../../ui/messages/Notice";
import { STOP_TO_DELETE } from "../parts/text";
import { isAtRest, useJobStatus } from "../job/useJobStatus";

interface Props {
  readonly title: string;
  readonly goes: string;
  readonly stays: string;
  /** The job that must stop before, or null if nothing runs. */
  readonly job: Job | null;
  readonly act: () => Promise<unknown>;
  readonly close: () => void;
}

/** Says what is deleted and what stays. While the job runs, the button stops it first. */
export function DeleteQuestion({ title, goes, stays, job, act, close }: Props) {
  const jobStatus = useJobStatus();
  const mustStop = job !== null && jobStatus !== null && !isAtRest(jobStatus);
  const isStopping = mustStop && jobStatus.desired === "stopped";
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const press = async (ask: () => Promise<unknown>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await ask();
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const action = mustStop ? (
    <Button look="danger" icon="stop" isBusy={isBusy || isStopping} onClick={() => void press(() => stopJob(job.id))}>
      {isStopping ? "Stopping …" : "Stop first"}
    </Button>
  ) : (
    <Button look="danger" isBusy={isBusy} onClick={() => void press(act)}>
      Delete
    </Button>
  );
  return (
    <Dialog title={title} close={close} action={action}>
      <dl className="effects">
        <dt>Deleted</dt>
        <dd>{goes}</dd>
        <dt>Kept</dt>
        <dd>
          {stays}
          {job !== null && <Subjects job={job.id} />}
        </dd>
      </dl>
      {mustStop && <p>{STOP_TO_DELETE}</p>}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}

/** The subjects of the schema registry that the job wrote with: nobody deletes them. */
function Subjects({ job }: { readonly job: number }) {
  const { data } = useResource(useCallback(() => listSubjectsOf(job), [job]));
  const subjects = [...new Set((data ?? []).map(({ subject }) => subject))].filter((subject) => subject !== "");
  if (subjects.length === 0) return null;
  return (
    <>
      {" "}
      In the schema registry:{" "}
      {subjects.map((subject, index) => (
        <span key={subject}>
          {index > 0 && ", "}
          <code>{subject}</code>
        </span>
      ))}
      .
    </>
  );
}
