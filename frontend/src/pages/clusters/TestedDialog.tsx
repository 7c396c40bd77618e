import { useState, type ReactNode } from "react";
import { toRefusal, type Refusal, type RefusalCode } from "../../api/refusal";
import "../../ui/controls/controls.css";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { useOwnClose } from "../../ui/messages/useOwnClose";
import "./ClusterDialog.css";

interface Props {
  readonly title: string;
  /** The label of Save meanwhile. */
  readonly testing: string;
  /** The codes of refusals after which a user may insist. */
  readonly failures: readonly RefusalCode[];
  readonly hasJobs: boolean;
  readonly save: (isUntested: boolean) => Promise<unknown>;
  readonly onSave: () => Promise<void>;
  readonly close: () => void;
  readonly children: ReactNode;
  readonly note?: string;
}

/** The connection of a cluster. It is saved after a successful test, or when the user insists. */
export function TestedDialog({ title, testing, failures, hasJobs, save, onSave, close, children, note }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);
  const attempt = async (isUntested: boolean) => {
    setBusy(true);
    setRefusal(null);
    try {
      await save(isUntested);
      await onSave();
      closeThis();
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };
  const action = (
    <Button look="primary" isBusy={isBusy} onClick={() => void attempt(false)}>
      {isBusy ? testing : "Test and save"}
    </Button>
  );
  const insist = (
    <Button isBusy={isBusy} onClick={() => void attempt(true)}>
      Save untested
    </Button>
  );
  return (
    <Dialog title={title} close={close} action={action}>
      <div className="controls connection">{children}</div>
      {note !== undefined && <p className="quiet">{note}</p>}
      {hasJobs && <p className="quiet">Its jobs use the change from their next start.</p>}
      {refusal !== null && (
        <RefusalNotice refusal={refusal} action={failures.includes(refusal.code) ? insist : undefined} />
      )}
    </Dialog>
  );
}
