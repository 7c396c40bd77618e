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

/** A job's status as a word with its colour. A topology that was never deployed has none. */
export function StatusWord({ status }: { readonly status: Status | null }) {
  if (status === null) return <span className="status">Not deployed</span>;
  return <span className={`status ${TONES[status]}`}>{status.charAt(0).toUpperCase() + status.slice(1)}</span>;
}
