import { useCallback, useState } from "react";
import { fetchTopicDetails, listClusters, listTopicSchemas } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { mayHaveRegistry } from "../../api/registry";
import type { TopicSchema } from "../../api/types";
import { useResource } from "../../api/useResource";
import "../../ui/controls/controls.css";
import { formatCount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import "../../ui/controls/FormRows.css";
import { RefusalNotice } from "../../ui/messages/Notice";
import { hrefs } from "../../ui/routing/route";
import { FieldsPart, LinesPart, MetadataPart, SidePart } from "./FormParts";
import { RepeatPart, type Repeating } from "./RepeatPart";
import type { Progress } from "./repeating";
import { BLANK, describeLanding, makeForm, type Formats, type RecordForm } from "./sending";
import { useSend } from "./useSend";

interface Props {
  readonly cluster: string;
  readonly topic: string;
  /** The record to begin with. Null begins empty. */
  readonly record: FeedRecord | null;
  /** The formats of the record. Without them, it stays unchanged. */
  readonly formats?: Formats;
  /** Called after Kafka has some of the records. */
  readonly onSend?: () => void;
  readonly close: () => void;
}

const AS_IT_STANDS: Formats = { key: null, value: null };

/** Sends records to a topic: one, one a line, a file of lines, or repeatedly. Says where they landed. */
export function SendDialog({ cluster, topic, record, formats = AS_IT_STANDS, onSend, close }: Props) {
  const { data: details } = useResource(useCallback(() => fetchTopicDetails(cluster, topic), [cluster, topic]));
  const schemas = useSchemas(cluster, topic);
  const [form, setForm] = useState<RecordForm>(record === null ? BLANK : makeForm(record, formats));
  const [repeating, setRepeating] = useState<Repeating>({ isOn: false, rate: "10", amount: "1000" });
  const { send, stop, progress, isBusy, refusal, refuse } = useSend(cluster, topic, onSend);
  const change = (part: Partial<RecordForm>) => setForm((before) => ({ ...before, ...part }));
  const ofTopic = { form, details, schemas, change };
  const action =
    isBusy && repeating.isOn ? (
      <Button look="danger" onClick={stop}>
        Stop
      </Button>
    ) : (
      <Button
        look="primary"
        isBusy={isBusy}
        disabled={!isComplete(repeating)}
        onClick={() => void send(form, repeating)}
      >
        Send
      </Button>
    );
  return (
    <Dialog title={`Send to ${topic}`} close={close} action={action} leave="Close" isWide>
      <div className="send-form">
        <SidePart side="key" {...ofTopic} />
        <SidePart side="value" {...ofTopic} />
        <FieldsPart {...ofTopic} />
        <LinesPart form={form} change={change} refuse={refuse} />
        <MetadataPart form={form} partitions={details?.partitions ?? 0} change={change} />
        <RepeatPart repeating={repeating} change={setRepeating} />
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {progress.sendCount > 0 && <SendProgress cluster={cluster} topic={topic} progress={progress} />}
    </Dialog>
  );
}

/** The schemas that the cluster's registry has for the topic. None without a registry. */
function useSchemas(cluster: string, topic: string): readonly TopicSchema[] {
  const load = useCallback(async () => {
    const { clusters } = await listClusters();
    return mayHaveRegistry(clusters, cluster) ? listTopicSchemas(cluster, topic) : [];
  }, [cluster, topic]);
  return useResource(load).data ?? [];
}

interface ProgressProps {
  readonly cluster: string;
  readonly topic: string;
  readonly progress: Progress;
}

function SendProgress({ cluster, topic, progress: { sendCount, newest } }: ProgressProps) {
  return (
    <p role="status" className="number">
      {formatCount(sendCount)} sent, the newest to{" "}
      <a href={hrefs.topic(cluster, topic, newest[0])} className="link">
        {describeLanding(newest, newest.length)}
      </a>{" "}
      (partition:offset)
    </p>
  );
}

function isComplete({ isOn, rate, amount }: Repeating): boolean {
  return !isOn || (Number(rate) >= 1 && Number(amount) >= 1);
}
