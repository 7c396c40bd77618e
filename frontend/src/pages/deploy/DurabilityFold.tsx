import type { Durability } from "../../api/types";
import { Prose } from "../../ui/messages/Prose";
import { describeDurability } from "./durability";
import "./Fold.css";
import "./DurabilityFold.css";

/** The replication of each topic, and the effect of a lost broker. */
export function DurabilityFold({ topics }: { readonly topics: readonly Durability[] }) {
  if (topics.length === 0) return null;
  return (
    <details className="deploy-fold durability">
      <summary>
        <b>Replication</b> <span className="quiet">{describeDurability(topics)}</span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Topic</th>
            <th scope="col">Replication</th>
            <th scope="col">If a broker is lost</th>
          </tr>
        </thead>
        <tbody>
          {topics.map(({ topic, replication, is_durable, why }) => (
            <tr key={topic} className={is_durable ? undefined : "weak"}>
              <th scope="row" className="mono">
                {topic}
              </th>
              <td className="number">{replication}</td>
              <td>
                <Prose text={why} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
