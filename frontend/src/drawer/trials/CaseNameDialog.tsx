import { useState, type ReactNode } from "react";
import { toRefusal, type Refusal } from "../../api/refusal";
import { MAX_LENGTHS } from "../../api/values";
import "../../ui/controls/controls.css";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { useOwnClose } from "../../ui/messages/useOwnClose";

interface Props {
  readonly title: string;
  readonly verb: string;
  readonly name?: string;
  readonly children?: ReactNode;
  readonly act: (name: string) => Promise<void>;
  readonly close: () => void;
}

/** Asks for the name of a test case. It shows a refusal and stays open. */
export function CaseNameDialog({ title, verb, name = "", children, act, close }: Props) {
  const [text, setText] = useState(name);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);
  const isEmpty = text.trim() === "";

  const confirm = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      await act(text);
      closeThis();
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };
  const action = (
    <Button look="primary" isBusy={isBusy} disabled={isEmpty} onClick={() => void confirm()}>
      {verb}
    </Button>
  );
  return (
    <Dialog title={title} close={close} action={action}>
      {children}
      <div className="controls">
        <input
          aria-label="Name of the test case"
          placeholder="late flights are left out"
          maxLength={MAX_LENGTHS.caseName}
          value={text}
          autoFocus
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
