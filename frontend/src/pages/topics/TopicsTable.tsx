import type { TopicFacts } from "../../api/types";
import { formatAmount, formatBytes, formatCount, formatRate } from "../../ui/text/format";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { describeGroups, describeRetention } from "./text";
import { groupUses } from "../../ui/display/userLines";
import { TableHead } from "../../ui/display/TableHead";

interface Props {
  readonly label: string;
  readonly cluster: string;
  readonly topics: readonly TopicFacts[];
  readonly rate: (topic: string) => number | null;
}

const COLUMNS = ["Topic", "Partitions", "Records", "Size", "Per second", "Kept", "Read by", "Written by"];
const FIGURES = ["Partitions", "Records", "Size", "Per second"];

/** A topic that a hundred jobs read would fill the screen. */
const MOST_NAMES = 6;

/** A line for each topic. */
export function TopicsTable({ label, cluster, topics, rate }: Props) {
  return (
    <div className="panel table-scroll">
      <table aria-label={label}>
        <TableHead words={COLUMNS} figures={FIGURES} />
        <tbody>
          {topics.map((topic) => (
            <tr key={topic.name}>
              <th scope="row">
                <Link href={hrefs.topic(cluster, topic.name)} className="link" title={topic.name}>
                  {topic.name}
                </Link>
              </th>
              <td className="figure" title={formatAmount(topic.replication, "replica")}>
                {formatCount(topic.partitions)}
              </td>
              <td className="figure">{formatCount(topic.records)}</td>
              <td className="figure" title={topic.bytes === null ? "The brokers do not report the size." : undefined}>
                {formatBytes(topic.bytes)}
              </td>
              <td className="figure">{formatRate(rate(topic.name))}</td>
              <td>{describeRetention(topic)}</td>
              <td className="uses">
                <Names cluster={cluster} topic={topic} does="reads" />
                <small className="quiet number">{describeGroups(topic)}</small>
              </td>
              <td className="uses">
                <Names cluster={cluster} topic={topic} does="writes" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface NamesProps {
  readonly cluster: string;
  readonly topic: TopicFacts;
  readonly does: "reads" | "writes";
}

/** The first topologies and jobs that use a topic. The page of the topic has all of them. */
function Names({ cluster, topic, does }: NamesProps) {
  const lines = groupUses(topic.uses).filter((line) => line.does === does);
  const shown = lines.length > MOST_NAMES ? lines.slice(0, MOST_NAMES - 1) : lines;
  return (
    <>
      {shown.map(({ topology, job, name }) => (
        <Link key={`${topology} ${job}`} href={job === null ? hrefs.editor(topology) : hrefs.job(job)} className="link">
          {name}
          {job === null && " (draft)"}
        </Link>
      ))}
      {lines.length > shown.length && (
        <Link href={hrefs.topic(cluster, topic.name)} className="quiet">
          {formatCount(lines.length - shown.length)} more
        </Link>
      )}
    </>
  );
}
