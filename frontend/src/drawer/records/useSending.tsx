import { useState, type ReactNode } from "react";
import { produce } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { refusalFrom } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../parts/Button";
import { SendDialog } from "./SendDialog";
import { againOf, isCut, landedWords, requestOf, type Formats } from "./sending";

const AS_IT_STANDS: Formats = { key: null, value: null };

interface Sending {
  /** "Send again" and "Edit and send" for an opened record. */
  readonly actions: (record: FeedRecord, topic?: string | null) => ReactNode;
  /** Begin with an empty form. */
  readonly button: ReactNode;
  readonly dialog: ReactNode;
}

/** Sending to a topic, where that is open: records that are seen, or others. */
export function useSending(cluster: string, own: string | null, formats: Formats = AS_IT_STANDS): Sending {
  const [asking, setAsking] = useState<{ readonly topic: string; readonly record: FeedRecord | null } | null>(null);
  const whyNot = useWhyNot("operator");
  return {
    actions: (record, topic = own) =>
      topic == null ? null : (
        <RecordActions
          cluster={cluster}
          topic={topic}
          record={record}
          whyNot={whyNot}
          edit={() => setAsking({ topic, record })}
        />
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
      <SendDialog cluster={cluster} {...asking} formats={formats} close={() => setAsking(null)} />
    ),
  };
}

interface Props {
  readonly cluster: string;
  readonly topic: string;
  readonly record: FeedRecord;
  readonly whyNot: string | null;
  readonly edit: () => void;
}

function RecordActions({ cluster, topic, record, whyNot, edit }: Props) {
  const [told, setTold] = useState("");
  const cut = isCut(record);
  const why = cut ? "This record is too long to be here as a whole." : whyNot;
  const send = async () => {
    setTold("Sending …");
    try {
      const landed = await produce(cluster, topic, requestOf([againOf(record)], AS_IT_STANDS));
      setTold(`Sent to ${landedWords(landed, 1)} of ${topic}.`);
    } catch (error) {
      const { message, hint } = refusalFrom(error);
      setTold(`${message} ${hint}`);
    }
  };
  return (
    <div className="record-actions">
      <Button why={why} onClick={() => void send()}>
        Send again
      </Button>
      <Button why={why} onClick={edit}>
        Edit and send
      </Button>
      <span role="status" className="quiet number">
        {told}
      </span>
    </div>
  );
}
