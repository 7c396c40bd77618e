/** Requests about a job's dead letters, and words for the answers. */
import type {
  ChosenDeadLetters,
  DeadLetters,
  DeadLettersQuery,
  Redrive,
  ShownDeadLetter,
  TriedDeadLetters,
} from "../../api/types";
import { MAX_DEAD_LETTERS_CHOICE } from "../../api/values";
import { formatAmount, formatCount } from "../../ui/text/format";

export interface Filter {
  readonly search: string;
  readonly group: string | null;
  readonly isWaiting: boolean;
  /** Ms before now. Null: no limit. */
  readonly within: number | null;
}

export const NO_FILTER: Filter = { search: "", group: null, isWaiting: false, within: null };

/** The filter for the API, at a moment (ms). */
export function makeFilter({ search, group, isWaiting, within }: Filter, now: number): DeadLettersQuery {
  return { search, group, is_waiting: isWaiting, since: within === null ? null : now - within };
}

export function formatPlace({ record }: ShownDeadLetter): string {
  return `${record.partition}:${record.offset}`;
}

/** The marked letters, or those of the filter if none is marked. */
export function chooseDeadLetters(filter: Filter, places: ReadonlySet<string>, now: number): ChosenDeadLetters {
  if (places.size === 0) return makeFilter(filter, now);
  const letters = [...places].slice(0, MAX_DEAD_LETTERS_CHOICE).map((place) => {
    const [partition = 0, offset = 0] = place.split(":").map(Number);
    return { partition, offset };
  });
  return { search: "", is_waiting: false, letters };
}

/** How many of the marked letters a redrive sends: it leaves out those that were sent back already. */
export function countMarkedWaiting(marks: ReadonlySet<string>, letters: readonly ShownDeadLetter[]): number {
  return marks.size - letters.filter((letter) => letter.mark !== null && marks.has(formatPlace(letter))).length;
}

/** "3 of 10 chosen", or what the buttons do while no box is ticked. */
export function describeChoice(marks: number, { matched, waiting }: Pick<DeadLetters, "matched" | "waiting">): string {
  if (marks > 0) return `${formatCount(marks)} of ${formatCount(matched)} chosen`;
  if (matched === 1) return waiting === 1 ? "The buttons act on this letter." : "This letter was sent back.";
  const all = `None chosen: the buttons act on all ${formatCount(matched)}.`;
  return waiting === matched ? all : `${all} Redrive leaves out ${formatCount(matched - waiting)} sent back already.`;
}

/** The data behind the page: "Read all 41 dead letters in 0.3 s." */
export function describeReading({ has_topic, topic, read }: Pick<DeadLetters, "has_topic" | "topic" | "read">): string {
  if (!has_topic) return `There is no topic ${topic} yet: no record has failed.`;
  const seconds = `in ${read.seconds} s`;
  if (read.is_all && read.letters === 0) return `${topic} holds no dead letter.`;
  if (read.is_all && read.letters === 1) return `Read the only dead letter of ${topic} ${seconds}.`;
  if (read.is_all) return `Read all ${formatAmount(read.letters, "dead letter")} of ${topic} ${seconds}.`;
  const amounts = `${formatCount(read.letters)} of about ${formatCount(read.offsets)}`;
  return `Read the newest ${amounts} dead letters of ${topic} ${seconds}.`;
}

/** "38 of 41 would pass the draft now." */
export function describeTrial({ of, passing, failing, untried }: TriedDeadLetters): string {
  const tries = passing + failing.length + untried.length;
  const some = tries < of ? ` The first ${formatCount(tries)} of ${formatCount(of)} were tried.` : "";
  return `${formatCount(passing)} of ${formatCount(tries)} would pass the draft now.${some}`;
}

export interface Failing {
  readonly node: string;
  readonly reason: string;
  readonly count: number;
}

/** Records that would fail again, by node and reason, the most frequent first. Ten at most. */
export function groupFailures({ failing }: TriedDeadLetters): readonly Failing[] {
  const groups = new Map<string, Failing>();
  for (const { node, reason } of failing) {
    const key = `${node}\n${reason}`;
    groups.set(key, { node, reason, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count).slice(0, 10);
}

/** "ada sent 12 of 41 records back." */
export function describeRedrive({ by, status, sent, records, refused }: Redrive): string {
  const amount = `${formatCount(sent)} of ${formatAmount(records, "record")}`;
  const cannot = refused.length > 0 ? ` ${formatAmount(refused.length, "record")} cannot go back.` : "";
  if (status === "running") return `${by} is sending records back: ${amount} sent.${cannot}`;
  return `${by} sent ${amount} back${status === "stopped" ? ", then it was stopped" : ""}.${cannot}`;
}
