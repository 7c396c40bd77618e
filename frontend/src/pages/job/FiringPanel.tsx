import { findFiring, useAlerts } from "../../live/alerts";
import { Ago } from "../../ui/display/Ago";
import { Panel } from "../../ui/display/Panel";
import { Prose } from "../../ui/messages/Prose";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import "./FiringPanel.css";

/** The firing alerts of the job. Empty if all is well. */
export function FiringPanel({ job }: { readonly job: number }) {
  const all = useAlerts((alerts) => alerts);
  const alerts = findFiring(all, job);
  if (alerts.length === 0) return null;
  return (
    <Panel title="Alerts" aside={<Link href={hrefs.alerts}>Rules and silences</Link>}>
      <ul className="fires">
        {alerts.map((alert) => (
          <li key={alert.id}>
            <span className={alert.silenced_until === null ? "status bad" : "status"}>{alert.title}</span>
            <span>
              <Prose text={alert.text} />
            </span>
            <span className="quiet">
              {alert.silenced_until !== null && "silenced · "}
              <Ago at={alert.since} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
