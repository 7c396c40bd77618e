import { useState } from "react";
import { asDecodedRecord, findDeadLetter, type FeedRecord, type DeadLetterDetails } from "../../api/feed";
import type { RecordSchemaOfRegistry as RecordSchema } from "../../api/types";
import { describeSchema } from "./recordSchema";
import { formatAmount, formatBytes, formatMoment } from "../../ui/text/format";
import { formatHex, mark, toBytes } from "../../ui/text/content";
import { indentJson } from "../../ui/text/json";

/** The whole record: its failure if any, its key, its formatted value and its headers. */
export function RecordDetails({ record }: { readonly record: FeedRecord }) {
  const { key, is_key_base64, value, is_value_base64, headers, headers_left_out } = record;
  const [letter, form] = [findDeadLetter(record), asDecodedRecord(record)];
  return (
    <dl className="record">
      {letter !== null && <Failure letter={letter} recordTime={record.timestamp} />}
      <dt>Key{describeCut(record.is_key_cut, record.key_bytes)}</dt>
      <dd>
        <Text text={key} isBase64={is_key_base64} />
        <Bytes raw={form?.key_raw ?? null} text={key} isBase64={is_key_base64} problem={form?.key_problem ?? null} />
        <SchemaOf schema={form?.key_schema ?? null} />
      </dd>
      <dt>Value{describeCut(record.is_value_cut, record.value_bytes)}</dt>
      <dd>
        <Text text={value} isBase64={is_value_base64} />
        <Bytes
          raw={form?.value_raw ?? null}
          text={value}
          isBase64={is_value_base64}
          problem={form?.value_problem ?? null}
        />
        <SchemaOf schema={form?.value_schema ?? null} />
      </dd>
      {headers.length > 0 && <dt>Headers</dt>}
      {headers.map(({ key: name, value: content, is_value_base64: isBase64, is_value_cut, value_bytes }, index) => (
        <dd key={index}>
          <code>{name}</code> <code className="quiet">{content === null ? "null" : mark(content, isBase64)}</code>
          {describeCut(is_value_cut, value_bytes)}
        </dd>
      ))}
      {headers_left_out > 0 && <dd className="quiet">{formatAmount(headers_left_out, "more header")} not shown</dd>}
    </dl>
  );
}

/** The schema in the registry that a key or value is written with. */
function SchemaOf({ schema }: { readonly schema: RecordSchema | null }) {
  return schema != null && <span className="quiet">{describeSchema(schema)}</span>;
}

/** Says that only the beginning is shown, and the full size. */
function describeCut(isCut: boolean, size: number | null) {
  return isCut && <span className="truncation"> truncated from {formatBytes(size)}</span>;
}

function Failure({ letter, recordTime }: { readonly letter: DeadLetterDetails; readonly recordTime: number }) {
  const { node, reason, exception, topic, partition, offset, output_topic, at } = letter;
  return (
    <>
      <dt>Failed</dt>
      <dd>
        <code className="failed-node">{node}</code> {reason} {exception !== null && <code>{exception}</code>}
        {at !== null && <span className="quiet number"> {formatMoment(at)}</span>}
      </dd>
      <dt>Time of the record</dt>
      <dd className="number">{formatMoment(recordTime)}</dd>
      {topic !== null && (
        <>
          <dt>Came from</dt>
          <dd className="number">
            <code>{topic}</code>
            {offset !== null && `, partition ${partition}, offset ${offset}`}
          </dd>
        </>
      )}
      {output_topic !== null && (
        <>
          <dt>Intended for</dt>
          <dd>
            <code>{output_topic}</code>
          </dd>
        </>
      )}
    </>
  );
}

interface BytesProps {
  /** The bytes in base64, if the text differs from them. */
  readonly raw: string | null;
  readonly text: string | null;
  readonly isBase64: boolean;
  /** Why the bytes do not fit the format. */
  readonly problem: string | null;
}

/** The bytes of a key or value in a fold, and why decoding failed. */
function Bytes({ raw, text, isBase64, problem }: BytesProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (text === null) return null;
  return (
    <>
      {problem !== null && <span className="truncation">{problem}</span>}
      <details className="bytes" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>Bytes</summary>
        {isOpen && <pre tabIndex={0}>{formatHex(raw === null ? toBytes(text, isBase64) : toBytes(raw, true))}</pre>}
      </details>
    </>
  );
}

function Text({ text, isBase64 }: { readonly text: string | null; readonly isBase64: boolean }) {
  if (text === null) return <i className="quiet">null</i>;
  if (text === "") return <i className="quiet">empty</i>;
  return <pre tabIndex={0}>{isBase64 ? mark(text, isBase64) : indentJson(text)}</pre>;
}
