import type { Message } from "../../api/types";
import { formatMoment } from "../../ui/text/format";

/** The newest records of a topic, one line each. */
export function Newest({ topic, messages }: { readonly topic: string; readonly messages: readonly Message[] }) {
  if (messages.length === 0) return <p className="quiet">{topic} holds no record yet.</p>;
  return (
    <table className="newest">
      <caption className="for-screen-readers">The newest records of {topic}</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {messages.map(({ partition, offset, timestamp, key, value }) => (
          <tr
            key={`${partition} ${offset}`}
            title={`Partition ${partition}, offset ${offset}, ${formatMoment(timestamp)}`}
          >
            <td>{key ?? <i>null</i>}</td>
            <td>{value ?? <i>null</i>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
