import type { JobEvent, VersionSummary } from "../../../api/types";
import { Ago } from "../../../ui/display/Ago";
import { Panel } from "../../../ui/display/Panel";
import { describeActivity } from "./activity";
import "./ActivityPanel.css";

interface Props {
  readonly events: readonly JobEvent[];
  readonly versions: readonly VersionSummary[];
}

/** Users' requests about the job, and their times. */
export function ActivityPanel({ events, versions }: Props) {
  return (
    <Panel title="Activity">
      <ol className="activity">
        {events.map((event, index) => (
          <li key={index}>
            <span>
              <b>{event.by}</b> {describeActivity(event, versions)}
            </span>
            <span className="quiet">
              <Ago at={event.at} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
