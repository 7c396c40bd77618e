import { useCallback, useEffect, useRef, useState } from "react";
import { fetchTopicDetails, listClusters, listTopicSchemas, produce } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { Refusal, toRefusal } from "../../api/refusal";
import { mayHaveRegistry } from "../../api/registry";
import type { FormatName, TopicDetails, TopicSchema } from "../../api/types";
import { useResource } from "../../api/useResource";
import "../../ui/controls/controls.css";
import { formatCount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { FileButton } from "../../ui/controls/FileButton";
import { Dialog } from "../../ui/messages/Dialog";
import "../../ui/controls/FormRows.css";
import { RefusalNotice } from "../../ui/messages/Notice";
import { hrefs } from "../../ui/routing/route";
import { FormatChoice } from "./FormatChoice";
import { RepeatPart, type Repeating } from "./RepeatPart";
import { NO_PROGRESS, sendAll, sendAtRate, takeTurn, type Progress } from "./repeating";
import {
  BLANK,
  describeLanding,
  holdsRecords,
  makeForm,
  makeRecords,
  makeRequest,
  type Formats,
  type RecordForm,
} from "./sending";
import { SideText } from "./SideText";
import { ValueForm } from "./ValueForm";
import { listFields } from "./valueFields";

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
const MAX_FILE = 20 * 1_024 * 1_024;

/** Sends records to a topic: one, one a line, a file of lines, or repeatedly. Says where they landed. */
export function SendDialog({ cluster, topic, record, formats = AS_IT_STANDS, onSend, close }: Props) {
  const { data: details } = useResource(useCallback(() => fetchTopicDetails(cluster, topic), [cluster, topic]));
  const [form, setForm] = useState<RecordForm>(record === null ? BLANK : makeForm(record, formats));
  const [isForm, setIsForm] = useState(false);
  const [repeating, setRepeating] = useState<Repeating>({ isOn: false, rate: "10", amount: "1000" });
  const [progress, setProgress] = useState(NO_PROGRESS);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const hasStopped = useRef(false);
  useEffect(() => {
    hasStopped.current = false;
    return () => {
      hasStopped.current = true;
    };
  }, []);
  const schemas = useSchemas(cluster, topic);
  const change = (part: Partial<RecordForm>) => setForm((before) => ({ ...before, ...part }));
  const changeValue = (value: string | null) => {
    const isEachLine = holdsRecords(value) && !holdsRecords(form.value);
    change({ value, ...(isEachLine && { isEachLine }) });
  };

  const send = async () => {
    hasStopped.current = false;
    setBusy(true);
    setRefusal(null);
    setProgress(NO_PROGRESS);
    try {
      const records = makeRecords(form);
      const write = (some: typeof records) => produce(cluster, topic, makeRequest(some, form.formats, form.schemas));
      const isStopped = () => hasStopped.current;
      if (!repeating.isOn) await sendAll(records, write, setProgress, isStopped);
      else {
        const { rate, amount } = repeating;
        const again = (turn: number, from: number) => write(takeTurn(records, turn, from));
        await sendAtRate(Number(rate), Number(amount), again, setProgress, isStopped);
      }
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    onSend?.();
    setBusy(false);
  };
  const readFile = (file: File) => {
    if (file.size > MAX_FILE) {
      setRefusal(new Refusal(422, "file.large", `${file.name} is larger than 20 MiB.`, "Split it into several files."));
      return;
    }
    void file.text().then((value) => change({ value, isEachLine: true }));
  };
  const chosen = schemas.find(({ side, id }) => side === "value" && id === form.schemas.value);
  const valueType = form.schemas.value === null ? details?.value.type : (chosen?.type ?? undefined);
  const hasFields = chosen === undefined ? isWithForm(details, form) : listFields(valueType).length > 0;
  const hasForm = !form.isEachLine && form.value !== null && hasFields;
  const action =
    isBusy && repeating.isOn ? (
      <Button look="danger" onClick={() => (hasStopped.current = true)}>
        Stop
      </Button>
    ) : (
      <Button look="primary" isBusy={isBusy} disabled={!isComplete(repeating)} onClick={() => void send()}>
        Send
      </Button>
    );
  return (
    <Dialog title={`Send to ${topic}`} close={close} action={action} leave="Close" isWide>
      <div className="send-form">
        <SideText label="Key" text={form.key} change={(key) => change({ key })} rows={1}>
          <FormatChoice
            label="Format of the key"
            value={form.formats.key}
            guess={readFormat(details?.key)}
            change={(key) => change({ formats: { ...form.formats, key } })}
          />
          <SchemaChoice
            label="Schema of the key"
            schemas={schemas.filter(({ side }) => side === "key")}
            value={form.schemas.key}
            change={(key) => change({ schemas: { ...form.schemas, key } })}
          />
        </SideText>
        <SideText label="Value" text={form.value} change={changeValue} rows={8}>
          <FormatChoice
            label="Format of the value"
            value={form.formats.value}
            guess={readFormat(details?.value)}
            change={(value) => change({ formats: { ...form.formats, value } })}
          />
          <SchemaChoice
            label="Schema of the value"
            schemas={schemas.filter(({ side }) => side === "value")}
            value={form.schemas.value}
            change={(value) => change({ schemas: { ...form.schemas, value } })}
          />
        </SideText>
        {hasForm && (
          <details open={isForm} onToggle={({ currentTarget }) => setIsForm(currentTarget.open)}>
            <summary>Fill in the fields</summary>
            {isForm && (
              <div className="controls">
                <ValueForm text={form.value} type={valueType} change={(value) => change({ value })} />
              </div>
            )}
          </details>
        )}
        <div className="send-lines controls">
          <label className="check">
            <input
              type="checkbox"
              checked={form.isEachLine}
              onChange={({ target }) => change({ isEachLine: target.checked })}
            />
            Each line of the value is a record
          </label>
          {form.isEachLine && (
            <>
              <label>
                Field that is the key{" "}
                <input
                  value={form.keyField}
                  placeholder="none"
                  onChange={({ target }) => change({ keyField: target.value, separator: "" })}
                />
              </label>
              <label title="The text between key and value, such as : for alice:3">
                Key before{" "}
                <input
                  value={form.separator}
                  placeholder="none"
                  size={3}
                  onChange={({ target }) => change({ separator: target.value, keyField: "" })}
                />
              </label>
            </>
          )}
          <FileButton label="File with a record on each line" pick={readFile}>
            Read lines from a file
          </FileButton>
        </div>
        <details>
          <summary>Headers, partition and time</summary>
          <div className="controls form-rows">
            <label>
              <span>Headers, one per line (name: value)</span>
              <textarea
                rows={3}
                value={form.headers}
                spellCheck={false}
                onChange={({ target }) => change({ headers: target.value })}
              />
            </label>
            <label>
              <span>Partition</span>
              <select value={form.partition} onChange={({ target }) => change({ partition: target.value })}>
                <option value="">the key decides</option>
                {Array.from({ length: details?.partitions ?? 0 }, (_, number) => (
                  <option key={number}>{number}</option>
                ))}
              </select>
            </label>
            <label>
              <span>Time (empty: now)</span>
              <input
                type="datetime-local"
                step="0.001"
                value={form.time}
                onChange={({ target }) => change({ time: target.value })}
              />
            </label>
          </div>
        </details>
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

interface SchemaChoiceProps {
  readonly label: string;
  readonly schemas: readonly TopicSchema[];
  readonly value: number | null;
  readonly change: (id: number | null) => void;
}

/** A schema of the registry for the written side. The server checks the text against it. */
function SchemaChoice({ label, schemas, value, change }: SchemaChoiceProps) {
  if (schemas.length === 0) return null;
  return (
    <select
      aria-label={label}
      title={label}
      value={value ?? ""}
      onChange={({ target }) => change(target.value === "" ? null : Number(target.value))}
    >
      <option value="">without a schema</option>
      {schemas.map(({ id, subject, version }) => (
        <option key={id} value={id}>
          {subject === "" ? `id ${id}` : `${subject} version ${version}, id ${id}`}
        </option>
      ))}
    </select>
  );
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

function readFormat(side: TopicDetails["value"] | undefined): FormatName | null {
  return side?.format ?? null;
}

/** Whether the value is an object with known fields, which a form can show. */
function isWithForm(details: TopicDetails | null, { value, formats }: RecordForm): boolean {
  const valueFormat = readFormat(details?.value);
  const isRight = formats.value === null ? valueFormat === "json" : formats.value === valueFormat;
  return details !== null && value !== null && isRight && listFields(details.value.type).length > 0;
}

function isComplete({ isOn, rate, amount }: Repeating): boolean {
  return !isOn || (Number(rate) >= 1 && Number(amount) >= 1);
}
