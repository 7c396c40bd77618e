/** The values of a node that a card shows, and that users pin. */
import { findP95 } from "../../live/minute";
import { flows } from "../../live/rates";
import type { LiveJob } from "../../live/useLiveJob";
import { formatDuration, formatRate, formatShortCount, UNKNOWN } from "../../ui/text/format";
import type { Pin, PinnedValue } from "./pins";

export const NAMES: Readonly<Record<PinnedValue, string>> = {
  rate: "Rate",
  latency: "p95",
  busy: "Busy",
  rows: "Rows",
  record: "Newest",
};

export const MEANINGS: Readonly<Record<PinnedValue, string>> = {
  rate: "Records in per second. Of a source: records out.",
  latency:
    "In 95 % of the last minute, no record of the job waited longer from its arrival to the commit of its result.",
  busy: "The share of the workers' time that this node's own code takes.",
  rows: "Rows in the stores of this node.",
  record: "The newest record that this node forwarded or received.",
};

/** A live value of a node as text. */
export function describeValue({ state, minute }: LiveJob, { node, value }: Pin): string {
  const numbers = state?.numbers?.nodes[node];
  if (state === null || numbers === undefined || !flows(state)) return UNKNOWN;
  if (value === "rate") return `${formatRate(numbers.rate)}/s`;
  if (value === "busy") return `${Math.round(numbers.busy * 100)} %`;
  return value === "latency" ? formatDuration(findP95(minute)) : formatShortCount(numbers.state?.rows);
}
