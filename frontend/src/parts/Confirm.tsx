import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { refusalFrom, type Refusal } from "../api/refusal";
import { Button } from "./Button";
import { RefusalNotice } from "./Notice";
import "./Confirm.css";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb on the button that does it: "Stop", "Deploy". */
  readonly verb: string;
  readonly look?: "primary" | "danger";
  readonly act: () => Promise<unknown>;
  readonly close: () => void;
}

/** Asks before something is done that others notice. A refusal is shown here, and the question stays open. */
export function Confirm({ title, children, verb, look = "primary", act, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const confirmed = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      await act();
      close();
    } catch (error) {
      setRefusal(refusalFrom(error));
      setBusy(false);
    }
  };

  return (
    <dialog ref={dialog} className="confirm" aria-labelledby={heading} onClose={close}>
      <h2 id={heading}>{title}</h2>
      <div className="body">{children}</div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <footer>
        <Button onClick={close}>Cancel</Button>
        <Button look={look} busy={busy} onClick={() => void confirmed()}>
          {verb}
        </Button>
      </footer>
    </dialog>
  );
}
