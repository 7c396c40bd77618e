import { listSparkClusters } from "../../api/calls";
import { useResource } from "../../api/useResource";
import { Prose } from "../../ui/messages/Prose";
import "../../ui/controls/controls.css";
import "./ApplicationId.css";

interface Props {
  /** The Spark cluster. Empty: the host of an agent. */
  readonly spark: string;
  /** The job's share of its cores, in words. */
  readonly room: string;
  readonly choose: (spark: string) => void;
}

const THIS_HOST = "A host of Streamwright";

/** The place of the job. Shown only if there is a choice. */
export function RunsOn({ spark, room, choose }: Props) {
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
          : `Executors run at ${choice.master}.${root && ` The checkpoint lies in ${root}.`}`}{" "}
        State moves with the job. <Prose text={room} />
      </small>
    </label>
  );
}
