import type { Alert } from "../../api/types";
import { formatDuration } from "../../ui/text/format";
import { Ago } from "../../ui/display/Ago";
import { Button } from "../../ui/controls/Button";
import { Prose } from "../../ui/messages/Prose";
import { TableHead } from "../../ui/display/TableHead";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { describeState } from "./text";

interface Props {
  readonly alerts: readonly Alert[];
  /** Null if nothing is left to silence. */
  readonly silence: ((alert: Alert) => void) | null;
  /** Why the user may not silence the alerts of a job, or of hosts. */
  readonly explain: (job: number | null) => string | null;
}

/** Alerts, each with its problem and its start. */
export function AlertTable({ alerts, silence, explain }: Props) {
  return (
    <div className="table-scroll">
      <table>
        <TableHead words={["Rule", "State", "What", "Since"]} action="Actions" />
        <tbody>
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} silence={silence} explain={explain} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Omit<Props, "alerts"> {
  readonly alert: Alert;
}

function AlertRow({ alert, silence, explain }: RowProps) {
  const [word, tone] = describeState(alert);
  const href = alert.job === null ? hrefs.hosts : hrefs.job(alert.job);
  return (
    <tr>
      <th scope="row">{alert.title}</th>
      <td>
        <span className={`status ${tone}`}>{word}</span>
      </td>
      <td className="what">
        <Link href={href}>
          <Prose text={alert.text} />
        </Link>
      </td>
      <td>
        <Ago at={alert.since} />
        {alert.ended_at !== null && (
          <span className="quiet"> for {formatDuration(Date.parse(alert.ended_at) - Date.parse(alert.since))}</span>
        )}
      </td>
      <td className="actions">
        {silence !== null && alert.silenced_until === null && (
          <Button why={explain(alert.job)} onClick={() => silence(alert)}>
            Silence
          </Button>
        )}
      </td>
    </tr>
  );
}
