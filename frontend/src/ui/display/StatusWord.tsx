import type { Status } from "../../live/state";
import "./Status.css";

const TONES: Readonly<Record<Status, string>> = {
  starting: "moving",
  restoring: "moving",
  running: "good",
  stopping: "warn",
  stopped: "",
  failed: "bad",
};

const RESTORING = "Tables are loaded first, and streams wait. The lag of the tables' topics shows how far they are.";

interface Props {
  readonly status: Status | null;
  /** The job's runs fail in a row. Red, whichever step the newest run has come to. */
  readonly isFailing?: boolean;
}

/** A job's status as a word with its colour. A topology that was never deployed has none. */
export function StatusWord({ status, isFailing = false }: Props) {
  if (status === null) return <span className="status">Not deployed</span>;
  if (isFailing && status !== "failed") return <span className="status bad">Failing</span>;
  return (
    <span className={`status ${TONES[status]}`} title={status === "restoring" ? RESTORING : undefined}>
      {status.charAt(0).toUpperCase() + status.slice(1)}
    </span>
  );
}
