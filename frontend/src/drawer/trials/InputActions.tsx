import { useCallback, useState } from "react";
import { fetchTopicDetails, searchRecords } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { useWhyNot } from "../../api/rights";
import type { Origin, TopicDetails } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useCluster } from "../../editor/interface/useCluster";
import { useInterface } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { SendDialog } from "../records/SendDialog";
import type { Formats } from "../records/sending";
import { useSending } from "../records/useSending";
import { readOwnRecord } from "./trying";

interface SourceRecord {
  /** Null: the topic no longer holds it. */
  readonly record: FeedRecord | null;
  readonly formats: Formats;
}

/** Sends the origin of a tried record again, unchanged or edited. */
export function InputActions({ origin }: { readonly origin: Origin }) {
  const cluster = useCluster();
  const lines = useInterface((editor) => editor.ownRecords);
  const load = useCallback(
    async (): Promise<SourceRecord> => ({
      record: lines === null ? await fetchRecord(cluster, origin) : readOwnRecord(lines, origin.offset),
      formats: readFormats(await fetchTopicDetails(cluster, origin.topic)),
    }),
    [cluster, lines, origin],
  );
  const { data, refusal } = useResource(load);
  if (refusal !== null) return <RefusalNotice refusal={refusal} />;
  if (data === null) return <p className="quiet">Reading …</p>;
  if (data.record === null) return <p className="quiet">{origin.topic} no longer holds its record.</p>;
  const props = { cluster, topic: origin.topic, record: data.record, formats: data.formats };
  return lines === null ? <Again {...props} /> : <Write {...props} />;
}

interface Props {
  readonly cluster: string;
  readonly topic: string;
  readonly record: FeedRecord;
  readonly formats: Formats;
}

function Again({ cluster, topic, record, formats }: Props) {
  const sending = useSending(cluster, topic, formats);
  return (
    <>
      {sending.actions(record)}
      {sending.dialog}
    </>
  );
}

/** The user's own record is not in a topic yet, so there are no bytes to send again. */
function Write(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="record-actions">
      <Button why={useWhyNot("operator")} onClick={() => setIsOpen(true)}>
        Edit and send
      </Button>
      {isOpen && <SendDialog {...props} close={() => setIsOpen(false)} />}
    </div>
  );
}

async function fetchRecord(cluster: string, { topic, partition, offset }: Origin): Promise<FeedRecord | null> {
  const place = { begin: "offset", partition, offset, count: 1 } as const;
  const rest = { time_ms: 0, key: "", text: "", key_format: null, value_format: null };
  const { records } = await searchRecords(cluster, topic, { ...place, ...rest });
  return records.find((record) => record.offset === offset) ?? null;
}

function readFormats({ key, value }: TopicDetails): Formats {
  return { key: key.format, value: value.format };
}
