import { useState } from "react";
import { createToken } from "../../api/calls";
import { refusalFrom, type Refusal } from "../../api/refusal";
import "../../inspector/form/controls.css";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";

interface Props {
  readonly added: () => Promise<void>;
  readonly close: () => void;
}

const DAYS: readonly number[] = [7, 30, 90, 366];
const USUAL_DAYS = 90;

/** Asks what a token is for, and shows its text once. */
export function NewTokenDialog({ added, close }: Props) {
  const [name, setName] = useState("");
  const [days, setDays] = useState(USUAL_DAYS);
  const [readOnly, setReadOnly] = useState(true);
  const [text, setText] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const create = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const made = await createToken({ name, days, read_only: readOnly });
      setText(made.text);
      await added();
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
    setBusy(false);
  };
  if (text !== null) {
    return (
      <Dialog title={`The token ${name.trim()}`} close={close}>
        <p>Copy it now. It is not shown again.</p>
        <input
          className="token-text"
          aria-label="Token"
          readOnly
          value={text}
          onFocus={({ target }) => target.select()}
        />
      </Dialog>
    );
  }
  const action = (
    <Button look="primary" busy={busy} disabled={name.trim() === ""} onClick={() => void create()}>
      Create
    </Button>
  );
  return (
    <Dialog title="New token" close={close} action={action}>
      <div className="controls token-form">
        <label>
          <span>Name</span>
          <input
            value={name}
            maxLength={100}
            placeholder="deploy from CI"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label>
          <span>Works for</span>
          <select value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {days} days
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input type="checkbox" checked={readOnly} onChange={({ target }) => setReadOnly(target.checked)} />
          <span>May only read</span>
        </label>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
