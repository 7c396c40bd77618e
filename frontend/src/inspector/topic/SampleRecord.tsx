import type { Message } from "../../api/types";
import { bytes, moment } from "../../numbers/format";
import { pretty } from "./pretty";

/** A record in one line; opened, all of it. */
export function SampleRecord({ record }: { readonly record: Message }) {
  return (
    <details className="sample-record">
      <summary>
        <span className="key">{record.key ?? <i>no key</i>}</span>
        <span>{record.value ?? <i>null</i>}</span>
      </summary>
      <p className="quiet number">
        {moment(record.timestamp)} · partition {record.partition} · offset {record.offset}
        {record.value_is_base64 && " · value in base64"}
        {record.value_cut && ` · value cut: the beginning of ${bytes(record.value_bytes)}`}
      </p>
      <pre tabIndex={0} aria-label="Value">{pretty(record.value)}</pre>
      {record.headers.map(({ key, value }, index) => (
        <p key={index} className="quiet">
          {key}: {value ?? "null"}
        </p>
      ))}
    </details>
  );
}
