import { useState } from "react";
import { createRedrive } from "../../api/calls";
import type { ShownLetter } from "../../api/types";
import { Confirm } from "../../parts/Confirm";
import { mark } from "../../records/content";
import { pretty } from "../../records/json";

interface Props {
  readonly job: number;
  readonly letter: ShownLetter;
  readonly began: () => Promise<void>;
  readonly close: () => void;
}

/** Key and value of a letter, to be changed before its record goes back; the original stays beside. */
export function EditDialog({ job, letter: { record }, began, close }: Props) {
  const [key, setKey] = useState(record.key === null ? null : mark(record.key, record.key_is_base64));
  const [value, setValue] = useState(
    record.value === null ? null : record.value_is_base64 ? mark(record.value, true) : pretty(record.value),
  );
  const letters = [{ partition: record.partition, offset: record.offset }];
  const act = async () => {
    await createRedrive(job, { letters, search: "", waiting: false, edited: { key, value } });
    await began();
  };
  return (
    <Confirm title="Edit and redrive" verb="Redrive" act={act} close={close}>
      <p>
        The edited record goes to the topic of the original, whose headers and time it keeps. The dead letter and its
        mark keep the original. Bytes begin with <code>base64:</code>.
      </p>
      {!record.letter.is_input && (
        <p className="warn">This letter holds what nodes made of the record. Write the record as its topic holds it.</p>
      )}
      <Side label="Key" text={key} change={setKey} rows={1} />
      <Side label="Value" text={value} change={setValue} rows={10} />
    </Confirm>
  );
}

interface SideProps {
  readonly label: string;
  readonly text: string | null;
  readonly change: (text: string | null) => void;
  readonly rows: number;
}

function Side({ label, text, change, rows }: SideProps) {
  return (
    <div className="edit-side">
      <label>
        <span>{label}</span>
        <textarea
          rows={rows}
          value={text ?? ""}
          disabled={text === null}
          spellCheck={false}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <label className="check">
        <input type="checkbox" checked={text === null} onChange={({ target }) => change(target.checked ? null : "")} />
        null
      </label>
    </div>
  );
}
