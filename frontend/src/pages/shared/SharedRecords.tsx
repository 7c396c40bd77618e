import { useCallback } from "react";
import { readShared, type SharedTopic } from "../../api/shareLinks";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { formatRecordTime, mark } from "../../ui/text/content";
import { TableHead } from "../../ui/display/TableHead";
import "../../ui/style/table.css";
import "../../ui/style/across.css";

const LOOK_MS = 5_000;

/** The newest records of the topics that the topology writes. */
export function SharedRecords({ secret }: { readonly secret: string }) {
  const load = useCallback(() => readShared("/api/shared/records", secret), [secret]);
  const { data, refusal, reload } = useResource(load);
  usePolling(reload, LOOK_MS);
  return (
    <section className="shared-records" aria-label="Newest records">
      {data === null && refusal !== null && <p className="quiet">{refusal.message}</p>}
      {data?.length === 0 && <p className="quiet">Nothing has been written yet.</p>}
      {data?.map((topic) => (
        <TopicRecords key={topic.topic} topic={topic} />
      ))}
    </section>
  );
}

function TopicRecords({ topic: { topic, records } }: { readonly topic: SharedTopic }) {
  return (
    <table>
      <caption>
        Newest of <code>{topic}</code>
      </caption>
      <TableHead words={["Time", "Key", "Value"]} />
      <tbody>
        {records.map(({ partition, offset, timestamp, key, is_key_base64, value, is_value_base64 }) => (
          <tr key={`${partition} ${offset}`}>
            <td className="number quiet">{formatRecordTime(timestamp)}</td>
            <td title={key ?? "null"}>
              <code>{key === null ? "null" : mark(key, is_key_base64)}</code>
            </td>
            <td title={value ?? "null"}>
              <code>{value === null ? "null" : mark(value, is_value_base64)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
