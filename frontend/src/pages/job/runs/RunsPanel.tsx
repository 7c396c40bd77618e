import type { Run, VersionSummary } from "../../../api/types";
import { useNow } from "../../../live/useNow";
import { formatCount, formatDuration } from "../../../ui/text/format";
import { Ago } from "../../../ui/display/Ago";
import { Panel } from "../../../ui/display/Panel";
import { Prose } from "../../../ui/messages/Prose";
import { StatusWord } from "../../../ui/display/StatusWord";
import { CauseDetails } from "../../../ui/messages/CauseDetails";
import { findVersionNumber, measureDuration } from "./runs";
import "./RunsPanel.css";

interface Props {
  readonly runs: readonly Run[];
  readonly versions: readonly VersionSummary[];
}

/** The runs of the job's process, newest first, each with its lost executors. A failed one says why. */
export function RunsPanel({ runs, versions }: Props) {
  const now = useNow();
  return (
    <Panel title="Runs">
      {runs.length === 0 && <p className="nothing">No run has started yet.</p>}
      <ol className="runs">
        {runs.map((run) => (
          <li key={run.id}>
            <div className="run">
              <span className="number generation">#{run.generation}</span>
              <StatusWord status={run.status} />
              <span className="quiet">
                v{findVersionNumber(run.version, versions)} · {run.host}
                {run.ended_at !== null && run.last_batch !== null && ` · batch ${formatCount(run.last_batch)}`}
              </span>
              <span className="quiet number run-time">{formatDuration(measureDuration(run, now))}</span>
              <span className="quiet when">
                <Ago at={run.started_at ?? run.created_at} />
              </span>
            </div>
            {run.lost_executors.map((loss) => (
              <div key={loss.executor} className="loss">
                <Prose text={loss.title} />{" "}
                <span className="quiet">
                  <Prose text={loss.text} /> <Ago at={loss.at} />
                </span>
              </div>
            ))}
            {run.failure !== null && (
              <div className="failure">
                <Prose text={run.failure.message} />{" "}
                <span className="quiet">
                  <Prose text={run.failure.hint} />
                </span>
                <CauseDetails cause={run.failure} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
