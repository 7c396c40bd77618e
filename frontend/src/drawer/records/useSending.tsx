import { useState, type ReactNode } from "react";
import { produce } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { toRefusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../ui/controls/Button";
import { SendDialog } from "./SendDialog";
import { copyRecord, describeLanding, isCut, makeRequest, type Formats } from "./sending";

const AS_IT_STANDS: Formats = { key: null, value: null };

interface Sending {
  /** Adds "Send again" and "Edit and send" to the other actions of an opened record. */
  readonly actions: (record: FeedRecord, topic?: string | null, more?: ReactNode) => ReactNode;
  /** Opens an empty form. */
  readonly button: ReactNode;
  readonly dialog: ReactNode;
}

function ignore(): void {}

/** Sends new or shown records to a topic, if that is allowed. `onSend` is called after Kafka has them. */
export function useSending(
  cluster: string,
  own: string | null,
  formats: Formats = AS_IT_STANDS,
  onSend: () => void = ignore,
): Sending {
  const [asking, setAsking] = useState<{ readonly topic: string; readonly record: FeedRecord | null } | null>(null);
  const whyNot = useWhyNot("operator");
  return {
    actions: (record, topic = own, more = null) =>
      topic === null ? (
        <div className="record-actions">{more}</div>
      ) : (
        <RecordActions
          cluster={cluster}
          topic={topic}
          record={record}
          whyNot={whyNot}
          edit={() => setAsking({ topic, record })}
          onSend={onSend}
        >
          {more}
        </RecordActions>
      ),
    button: own !== null && (
      <Button
        why={whyNot}
        onClick={() => setAsking({ topic: own, record: null })}
      >
        Send records
      </Button>
    ),
    dialog: asking !== null && (
      <SendDialog cluster={cluster} {...asking} formats={formats} onSend={onSend} close={() => setAsking(null)} />
    ),
  };
}

interface Props {
  readonly cluster: string;
  readonly topic: string;
  readonly record: FeedRecord;
  readonly whyNot: string | null;
  readonly edit: () => void;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

function RecordActions({ cluster, topic, record, whyNot, edit, onSend, children }: Props) {
  const [words, setWords] = useState("");
  const isShortened = isCut(record);
  const why = isShortened ? "This record is too long to load in full." : whyNot;
  const send = async () => {
    setWords("Sending …");
    try {
      const places = await produce(cluster, topic, makeRequest([copyRecord(record)], AS_IT_STANDS));
      setWords(`Sent to ${describeLanding(places, 1)} of ${topic}.`);
      onSend();
    } catch (error) {
      const { message, hint } = toRefusal(error);
      setWords(`${message} ${hint}`);
    }
  };
  return (
    <div className="record-actions">
      {children}
      <Button why={why} onClick={() => void send()}>
        Send again
      </Button>
      <Button why={why} onClick={edit}>
        Edit and send
      </Button>
      <span role="status" className="quiet number">
        {words}
      </span>
    </div>
  );
}
