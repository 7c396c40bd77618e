import { useState } from "react";
import { produce } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { refusalFrom, type Refusal } from "../../api/refusal";
import type { Landed } from "../../api/types";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";
import { layOut } from "../../records/content";
import { headersOf, linesOf } from "./sending";
import { SideText } from "./SideText";

interface Props {
  readonly cluster: string;
  readonly topic: string;
  /** What to begin with; null: nothing. */
  readonly record: FeedRecord | null;
  readonly close: () => void;
}

/** Writes a record, or one for each line, to a topic, and says where it landed. */
export function SendDialog({ cluster, topic, record, close }: Props) {
  const [key, setKey] = useState(record === null ? "" : layOut(record.key, record.key_is_base64));
  const [value, setValue] = useState(record === null ? "" : layOut(record.value, record.value_is_base64));
  const [isEachLine, setIsEachLine] = useState(false);
  const [landed, setLanded] = useState<readonly Landed[]>([]);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const send = async () => {
    setBusy(true);
    setRefusal(null);
    setLanded([]);
    try {
      const headers = record === null ? [] : headersOf(record);
      setLanded(await produce(cluster, topic, linesOf(key, value, isEachLine, headers)));
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
    setBusy(false);
  };
  const action = (
    <Button look="primary" busy={busy} onClick={() => void send()}>
      Send
    </Button>
  );
  return (
    <Dialog title={`Send to ${topic}`} close={close} action={action} leave="Close">
      <p className="quiet">
        Key and value are written as they stand here. Bytes begin with <code>base64:</code>.
        {record !== null && record.headers.length > 0 && " The headers of the record go along."}
      </p>
      <SideText label="Key" text={key} change={setKey} rows={1} />
      <SideText label="Value" text={value} change={setValue} rows={8} />
      <label className="send-lines">
        <input type="checkbox" checked={isEachLine} onChange={({ target }) => setIsEachLine(target.checked)} />
        Each line of the value is a record
      </label>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {landed.length > 0 && (
        <p role="status" className="number">
          Sent: {landed.slice(0, 5).map(({ partition, offset }) => `${partition}:${offset}`).join(", ")}
          {landed.length > 5 && ` and ${landed.length - 5} more`} (partition:offset)
        </p>
      )}
    </Dialog>
  );
}
