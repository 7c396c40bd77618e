import type { TopicDetails } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";
import { Panel } from "../../ui/display/Panel";
import { TableHead } from "../../ui/display/TableHead";

/** The brokers and offsets of each partition. */
export function PartitionsPanel({ topic }: { readonly topic: TopicDetails }) {
  return (
    <Panel title="Partitions" aside={formatAmount(topic.replication, "replica")}>
      <div className="table-scroll partitions">
        <table aria-label="Partitions">
          <TableHead
            words={["Partition", "First offset", "End", "Leader", "In sync"]}
            figures={["Partition", "First offset", "End", "Leader"]}
          />
          <tbody>
            {topic.ends.map(({ number, start, end, leader, replicas, in_sync }) => (
              <tr key={number}>
                <th scope="row" className="figure">
                  {number}
                </th>
                <td className="figure">{formatCount(start)}</td>
                <td className="figure">{formatCount(end)}</td>
                <td className="figure">{leader < 0 ? "none" : leader}</td>
                <td className={in_sync.length < replicas.length ? "loud" : undefined}>
                  {in_sync.length} of {replicas.length}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
