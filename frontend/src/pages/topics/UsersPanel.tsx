import type { TopicDetails } from "../../api/types";
import { formatCount } from "../../ui/text/format";
import { Panel } from "../../ui/display/Panel";
import { UserLines } from "../../ui/display/UserLines";
import { groupUses } from "../../ui/display/userLines";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { TableHead } from "../../ui/display/TableHead";

/** The topologies that read and write a topic, and the progress of consumer groups. */
export function UsersPanel({ topic }: { readonly topic: TopicDetails }) {
  const lines = groupUses(topic.uses);
  return (
    <Panel title="Readers and writers">
      {lines.length === 0 && topic.groups.length === 0 && (
        <p className="nothing">No consumer group uses this topic, nor does any topology that you can see.</p>
      )}
      <UserLines lines={lines} />
      {topic.groups.length > 0 && (
        <div className="table-scroll">
          <table aria-label="Consumer groups">
            <TableHead words={["Consumer group", "State", "Lag"]} figures={["Lag"]} />
            <tbody>
              {topic.groups.map(({ group, state, lag, job }) => (
                <tr key={group}>
                  <th scope="row">
                    {job === null ? (
                      group
                    ) : (
                      <Link href={hrefs.job(job)} className="link">
                        {group}
                      </Link>
                    )}
                  </th>
                  <td>{job === null ? state : "a job of Streamwright"}</td>
                  <td className="figure">{formatCount(lag)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
