/** The fields of a deploy. */
import { listSparkClusters } from "../../api/calls";
import type { Preview } from "../../api/types";
import { useResource } from "../../api/useResource";
import { Prose } from "../../ui/messages/Prose";
import "./Deploy.css";
import "../../ui/controls/controls.css";

interface LineProps {
  readonly label: string;
  readonly text: string;
  readonly hint: string;
  readonly maxLength: number;
  readonly change: (text: string) => void;
}

export function TextLine({ label, text, hint, maxLength, change }: LineProps) {
  return (
    <label className="controls application-id">
      <span>{label}</span>
      <input
        value={text}
        maxLength={maxLength}
        placeholder={hint}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}

interface ApplicationIdProps {
  readonly preview: Preview;
  /** Typed instead of the proposed id, without the prefix. Null while unchanged. */
  readonly slug: string | null;
  readonly change: (slug: string) => void;
}

const NAMES = "Names the consumer group, the transactions, the dead-letter topic and the checkpoint.";

/** The id of the job on Kafka: users can choose it at the first deploy, and see it later. */
export function ApplicationId({ preview: { job, application_id, prefix }, slug, change }: ApplicationIdProps) {
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

interface RunsOnProps {
  /** The Spark cluster. Empty: the host of an agent. */
  readonly spark: string;
  /** The job's share of its cores, in words. */
  readonly room: string;
  readonly choose: (spark: string) => void;
}

const THIS_HOST = "A host of Streamwright";

/** The place of the job. Shown only if there is a choice. */
export function RunsOn({ spark, room, choose }: RunsOnProps) {
  const options = useResource(listSparkClusters).data?.clusters ?? [];
  const choice = options.find((cluster) => cluster.name === spark);
  const root = choice?.checkpoint_root ?? "";
  if (options.length === 0) return null;
  return (
    <label className="controls application-id">
      <span>Runs on</span>
      <span className="row">
        <select value={spark} onChange={(event) => choose(event.target.value)}>
          <option value="">{THIS_HOST}</option>
          {options.map(({ name }) => (
            <option key={name} value={name}>
              Spark cluster {name}
            </option>
          ))}
        </select>
      </span>
      <small className="quiet">
        {choice === undefined
          ? "All processes of the job run on the host of its agent."
          : `Executors run at ${choice.master}.${root && ` The checkpoint is in ${root}.`}`}{" "}
        State moves with the job. <Prose text={room} />
      </small>
    </label>
  );
}
