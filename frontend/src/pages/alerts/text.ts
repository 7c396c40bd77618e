/** The words of alerts and rules. */
import type { Alert, Delivery, Kind, Rule, Silence } from "../../api/types";
import { formatCount, formatDuration } from "../../ui/text/format";

type Limit = Pick<Rule, "is_on" | "threshold" | "seconds">;
type Place = Pick<Rule, "job" | "project">;
type Figure = Pick<Kind, "unit" | "is_floor">;

/** The scope of a rule, as a choice of a list: "" for all jobs. */
export function formatPlace({ job, project }: Place): string {
  return job !== null ? `job ${job}` : project !== null ? `project ${project}` : "";
}

/** The reverse. */
export function parsePlace(value: string): Place {
  const [kind, name = ""] = value.split(" ");
  return { job: kind === "job" ? Number(name) : null, project: kind === "project" ? name : null };
}

/** The scope for people. */
export function describePlace({ is_of_host }: Pick<Kind, "is_of_host">, { job_name, project }: Rule): string {
  if (project !== null) return `project ${project}`;
  return job_name || (is_of_host ? "all hosts" : "all jobs");
}

/** "more than 5 min for 2 min", "at once", "off" */
export function describeLimit({ unit, is_floor }: Figure, { is_on, threshold, seconds }: Limit): string {
  if (!is_on) return "off";
  const amount = unit === "s" ? formatTime(threshold) : `${formatCount(threshold)} ${unit}`.trim();
  const limit = threshold === 0 && unit === "" ? "" : `${is_floor ? "less" : "more"} than ${amount}`;
  const pause = seconds === 0 ? "" : `for ${formatTime(seconds)}`;
  return [limit, pause].filter(Boolean).join(" ") || "at once";
}

/** The label of a threshold: "More than, in s", "More than, per minute" */
export function nameThreshold({ unit, is_floor }: Figure): string {
  const word = is_floor ? "Less than" : "More than";
  if (unit === "") return word;
  return unit.startsWith("per ") ? `${word}, ${unit}` : `${word}, in ${unit}`;
}

/** A whole number of seconds has no decimals. */
function formatTime(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000);
}

/** The word for an alert's state, and its colour. */
export function describeState({
  state,
  silenced_until,
}: Pick<Alert, "state" | "silenced_until">): readonly [string, string] {
  if (state === "ended") return ["Ended", ""];
  if (silenced_until !== null) return ["Silenced", ""];
  return state === "firing" ? ["Firing", "bad"] : ["Pending", "warn"];
}

/** The same for a message. The end of an alert is sent after its beginning has arrived. */
export function describeArrival({
  state,
  tries,
  what,
}: Pick<Delivery, "state" | "tries" | "what">): readonly [string, string] {
  if (state === "arrived") return ["Arrived", "good"];
  if (state === "given_up") return ["Given up", "bad"];
  if (tries === 0) return [what === "ended" ? "On its way, after the message before" : "On its way", "moving"];
  return ["Not arrived, tried again", "warn"];
}

/** The scope of a silence. */
export function describeCoverage({ kind, job_name, host }: Silence, kinds: readonly Kind[]): string {
  const what = kinds.find((each) => each.kind === kind)?.title ?? "All alerts";
  const where = job_name || host;
  return where === "" ? `${what}, everywhere` : `${what} of ${where}`;
}
