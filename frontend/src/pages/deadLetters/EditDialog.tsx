import { useState } from "react";
import { createRedrive } from "../../api/calls";
import type { ShownDeadLetter } from "../../api/types";
import { SideText } from "../../drawer/records/SideText";
import { Confirm } from "../../ui/messages/Confirm";
import { layOut } from "../../ui/text/content";

interface Props {
  readonly job: number;
  readonly letter: ShownDeadLetter;
  readonly began: () => Promise<void>;
  readonly close: () => void;
}

/** Edits key and value of a letter before its record goes back, beside the original. */
export function EditDialog({ job, letter: { record }, began, close }: Props) {
  const [key, setKey] = useState(layOut(record.key, record.is_key_base64));
  const [value, setValue] = useState(layOut(record.value, record.is_value_base64));
  const letters = [{ partition: record.partition, offset: record.offset }];
  const act = async () => {
    await createRedrive(job, { letters, search: "", is_waiting: false, edited: { key, value } });
    await began();
  };
  return (
    <Confirm title="Edit and redrive" verb="Redrive" act={act} close={close}>
      <p>
        The edited record goes to the topic of the original, whose headers and time it keeps. The dead letter and its
        mark keep the original. Bytes begin with <code>base64:</code>.
      </p>
      {!record.letter.is_input && (
        <p className="warn">This letter holds a changed record. Enter the record as its topic holds it.</p>
      )}
      <SideText label="Key" text={key} change={setKey} rows={1} />
      <SideText label="Value" text={value} change={setValue} rows={10} />
    </Confirm>
  );
}
