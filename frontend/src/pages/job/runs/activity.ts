import type { JobEvent, OnState, VersionSummary } from "../../../api/types";
import { formatAmount } from "../../../ui/text/format";
import { findVersionNumber } from "./runs";

const FRESHLY: Readonly<Record<OnState, string>> = {
  keep: "",
  fresh_from_earliest: ", fresh from where its sources start",
  fresh_from_now: ", fresh from now",
  skip_lost: ", without the records that are gone",
  repair: ", with its checkpoint repaired",
  rebuild: ", with its state rebuilt",
};

/** An action on a job, as the rest of a sentence that begins with the user's name. */
export function describeActivity(
  event: Pick<JobEvent, "what" | "after" | "before">,
  versions: readonly VersionSummary[],
): string {
  switch (event.what) {
    case "deploy":
      return `deployed version ${nameVersion(event, versions)}${describeMove(event)}${describeStateChoice(event)}`;
    case "cut over":
      return `cut over to version ${nameVersion(event, versions)}${describeStateChoice(event)}`;
    case "back":
      return `went back to version ${nameVersion(event, versions)}`;
    case "correct":
      return `sent ${formatAmount(event.after.records ?? 0, "correction")} of its results`;
    case "restart":
      return event.before.desired === "stopped" ? "started it" : "restarted it";
    case "stop":
      return "stopped it";
    case "kill":
      return "killed its run";
    case "redrive":
      return `began to send ${formatAmount(event.after.records ?? 0, "dead letter")} back`;
    case "stop redrive":
      return "stopped a redrive";
    case "delete":
      return "deleted it";
  }
}

function nameVersion(event: Pick<JobEvent, "after">, versions: readonly VersionSummary[]): string {
  const id = event.after.version;
  return id === undefined ? "?" : findVersionNumber(id, versions);
}

/** The new place of the job, if it ran elsewhere before. */
function describeMove({ before, after }: Pick<JobEvent, "after" | "before">): string {
  if (after.spark === undefined || after.spark === before.spark) return "";
  return after.spark === "" ? " on a host of Streamwright" : ` on Spark cluster ${after.spark}`;
}

function describeStateChoice(event: Pick<JobEvent, "after">): string {
  return FRESHLY[event.after.on_state ?? "keep"];
}
