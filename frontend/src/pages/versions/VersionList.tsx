import type { Job, VersionSummary } from "../../api/types";
import { Ago } from "../../ui/display/Ago";

interface Props {
  readonly versions: readonly VersionSummary[];
  readonly current: VersionSummary;
  readonly job: Job | null;
  readonly choose: (id: number) => void;
}

/** The versions, newest first: number, message, author and time, and whether the job has it. */
export function VersionList({ versions, current, job, choose }: Props) {
  return (
    <fieldset className="version-list">
      <legend className="for-screen-readers">Version</legend>
      {versions.map(({ id, number, note, created_by, created_at }) => (
        <label key={id}>
          <input type="radio" name="version" checked={id === current.id} onChange={() => choose(id)} />
          <span>
            <b>Version {number}</b>
            {job?.version === id && <span className="chip">Deployed</span>}
            {note !== "" && <span className="message">{note}</span>}
            <small className="quiet">
              {created_by ?? "A user who was deleted"}, <Ago at={created_at} />
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
