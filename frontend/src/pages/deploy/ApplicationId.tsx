import type { Preview } from "../../api/types";
import "../../ui/controls/controls.css";
import "./ApplicationId.css";

interface Props {
  readonly preview: Preview;
  /** Typed instead of the proposed id, without the prefix. Null while unchanged. */
  readonly slug: string | null;
  readonly change: (slug: string) => void;
}

const NAMES = "Names the consumer group, the transactions, the dead-letter topic and the checkpoint.";

/** The id of the job on Kafka: users can choose it at the first deploy, and see it later. */
export function ApplicationId({ preview: { job, application_id, prefix }, slug, change }: Props) {
  if (job !== null) {
    return (
      <p className="quiet" title={NAMES}>
        Application id: <code>{application_id}</code>
      </p>
    );
  }
  return (
    <label className="controls application-id">
      <span>Application id</span>
      <span className="row">
        {prefix !== "" && <code>{prefix}</code>}
        <input
          value={slug ?? application_id.slice(prefix.length)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
      </span>
      <small className="quiet">{NAMES} It cannot be changed after the first deploy.</small>
    </label>
  );
}
