import type { DeadLetters } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";
import { Ago } from "../../ui/display/Ago";
import { Prose } from "../../ui/messages/Prose";
import { Sparkline } from "../../ui/display/Sparkline";
import { TableHead } from "../../ui/display/TableHead";

interface Props {
  readonly answer: DeadLetters;
  readonly current: string | null;
  readonly choose: (group: string | null) => void;
}

/** Nodes and reasons, the most letters first. Users can choose one. */
export function GroupsTable({ answer, current, choose }: Props) {
  const slots = Math.max(1, ...answer.groups.map(({ counts }) => counts.length));
  return (
    <div className="table-scroll of-groups">
      <table className="groups" aria-label="Groups">
        <TableHead
          words={["Node", "Reason", "Dead letters", "Not sent back", "Over time", "Last failed"]}
          figures={["Dead letters", "Not sent back"]}
          action="Choose"
        />
        <tbody>
          {answer.groups.map((group) => (
            <tr key={group.id} className={group.id === current ? "current" : undefined}>
              <th scope="row">{group.node ?? "–"}</th>
              <td className="why">
                <Prose text={group.reason} />
              </td>
              <td className="figure">{formatCount(group.count)}</td>
              <td className="figure">{formatCount(group.waiting)}</td>
              <td className="over-time">
                <Sparkline
                  values={[0, ...group.counts, ...Array<number>(slots - group.counts.length + 1).fill(0)]}
                  slots={slots + 2}
                  tone="warn"
                  label={`${formatAmount(group.count, "letter")} over time`}
                />
              </td>
              <td>
                <Ago at={group.last} />
              </td>
              <td className="actions">
                <button
                  type="button"
                  className="button"
                  aria-pressed={group.id === current}
                  onClick={() => choose(group.id === current ? null : group.id)}
                >
                  {group.id === current ? "Show all" : "Choose"}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
