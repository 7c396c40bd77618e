import type { Preview, Proof, ProofDifference, ProofGrade, ProofReport } from "../../api/types";
import { formatAge, formatAmount, formatBytes, formatCount, formatMoment } from "../../ui/text/format";

export const GRADES: Readonly<Record<ProofGrade, string>> = {
  same_last_value: "Same last value, other steps",
  other_value: "Other value",
  missing: "Missing",
  extra: "Extra",
  other_key: "Other key",
  other_order: "Other order",
  other_time: "Other time",
  other_failure: "Other failure",
};

export const MINUTES: readonly (readonly [number, string])[] = [
  [0, "batch"],
  [5, "5 minutes"],
  [10, "10 minutes"],
  [60, "hour"],
  [1_440, "day"],
];

export const LIVE: readonly (readonly [number, string])[] = [
  [0, "no new records"],
  [60, "a minute of new records"],
  [600, "10 minutes of new records"],
  [3_600, "an hour of new records"],
];

/** Where the draft begins: with the stores that a deploy would keep, or with all state rebuilt. */
export const STATES: readonly (readonly [number, string])[] = [
  [0, "kept as in a deploy"],
  [1, "rebuilt from the topics"],
];

/** Why the state should be rebuilt: stores that would start empty, so that all their results would differ. */
export function explainEmpty(state: Preview["state"]): string | null {
  const empty = state.filter(({ effect }) => effect === "starts_empty");
  if (empty.length === 0) return null;
  const stores = empty.map(({ store, node, why }) => `The store ${store} of \`${node}\` would start empty: ${why}`);
  return `${stores.join(" ")} Rebuilt from the topics, the draft begins as if it had read them from the beginning.`;
}

/** The first differences, then the newest. Those that begin at a node, if one is given. */
export function listDifferences(report: ProofReport, node: string | null): readonly ProofDifference[] {
  const all = [...report.first, ...report.newest];
  return node === null ? all : all.filter((each) => each.node === node);
}

/** How far the proof is: `1,234 records in 56 of 80 batches, 9,000 a second, about 12 s left.` */
export function describeProgress(report: ProofReport, isOver = false): string {
  const rate = `${formatCount(report.records_per_second)} a second`;
  const kept = report.kept_batches ?? 0;
  const of = kept > report.batches ? `${formatCount(report.batches)} of ` : "";
  const batches = formatAmount(of === "" ? report.batches : kept, "batch");
  const done = `${formatAmount(report.records, "record")} in ${of}${batches}`;
  return `${done}, ${rate}${isOver ? "" : describeRest(report)}.${describeLoad(report, isOver)}`;
}

function describeRest({ left_s }: ProofReport): string {
  return left_s == null ? "" : `, about ${formatAge(Math.max(2, Math.round(left_s)) * 1_000)} left`;
}

function describeLoad({ cores = 0, memory = 0, disk = 0 }: ProofReport, isOver = false): string {
  const load = `${formatCount(Math.round(cores * 100))} % of a core, ${formatBytes(memory)} of memory`;
  return memory > 0 ? ` It ${isOver ? "used" : "uses"} ${load} and ${formatBytes(disk)} of disk.` : "";
}

/** How far the state is rebuilt: `1,234 of 56,789 records, about 20 s left.` Null once batches are compared. */
export function describeRebuilding(report: ProofReport): string | null {
  if (report.rebuilt == null || report.batches > 0) return null;
  const { done, count } = report.rebuilt;
  return `${formatCount(done)} of ${formatAmount(count, "record")}${describeRest(report)}.${describeLoad(report)}`;
}

/** From which topics the state was rebuilt, and since when. Empty if it was kept. */
export function describeRebuilt({ rebuilt, batches }: ProofReport): string {
  if (rebuilt == null) return "";
  const topics = Object.entries(rebuilt.topics).map(([name, { since }]) =>
    since === null ? `\`${name}\`` : `\`${name}\` since ${formatMoment(since)}`,
  );
  const does = batches === 0 ? "is being rebuilt" : "was rebuilt";
  return `The state of the draft ${does} from ${topics.join(", ")}.`;
}

/** How sure the comparison is: whether the running version gives again what the job has written. */
export function describeRepeated({ repeated }: ProofReport): string {
  if (repeated.batches === 0) return "";
  if (repeated.same === repeated.batches) return "The running version gives the same bytes again that the job wrote.";
  const batches = `${formatCount(repeated.same)} of ${formatCount(repeated.batches)} batches`;
  return `${batches} of the running version give the same bytes again.`;
}

/** The name of a test case from a difference. */
export function nameCase({ at, fields, grade, topic }: ProofDifference): string {
  const what = fields[0] === undefined || fields[0] === "" ? GRADES[grade].toLowerCase() : fields[0];
  return `${topic ?? "dead letters"}: ${what} since ${at}`.slice(0, 100);
}

export function isRunning(proof: Proof | null): boolean {
  return proof?.status === "running";
}
