import type { Message } from "../../api/types";
import { formatBytes, formatMoment } from "../../ui/text/format";
import type { TopicFormats } from "../../editor/graph/topicFormats";
import { mark, showSide } from "../../ui/text/content";
import { indentJson } from "../../ui/text/json";

interface Props {
  readonly record: Message;
  readonly formats: TopicFormats;
}

/** A record in one line, or all of it when open. */
export function ExampleRecord({ record, formats }: Props) {
  const value = record.value === null ? null : showSide(record.value, record.is_value_base64, formats.value);
  return (
    <details className="example-record">
      <summary>
        <span className="key">
          {record.key === null ? <i>no key</i> : showSide(record.key, record.is_key_base64, formats.key)}
        </span>
        <span>{value ?? <i>null</i>}</span>
      </summary>
      <p className="quiet number">
        {formatMoment(record.timestamp)} · partition {record.partition} · offset {record.offset}
        {record.is_value_cut && ` · value truncated from ${formatBytes(record.value_bytes)}`}
      </p>
      <pre tabIndex={0} aria-label="Value">{value === null ? "null" : indentJson(value)}</pre>
      {record.headers.map(({ key, value: content, is_value_base64: isBase64 }, index) => (
        <p key={index} className="quiet">
          {key}: {content === null ? "null" : mark(content, isBase64)}
        </p>
      ))}
    </details>
  );
}
