/**
 * The books of a topic: does what went in add up with what the job says it did? Only what can be proved is said.
 *
 * Offsets and counters are both of the last committed batch, whose results lie in Kafka in one transaction with its
 * offsets. But offsets are Spark's, and counters are the engine's own: that they move on by the same number is no
 * matter of course. How far the topic reaches is asked once a second, so it can be older than the offsets.
 */
import type { Numbers } from "../live/state";

export interface Source {
  readonly topic: string;
  readonly node: string;
  /** The offset all partitions together stood at when this run began, as the run before left it; null if unknown. */
  readonly start: number | null;
}

/** A run after one of its batches: where it stands in the topic, and what its source node counted since it began. */
interface Tally {
  readonly run: number;
  readonly batch: number;
  readonly read: number;
  readonly counted: number;
  readonly passed: number;
  readonly dropped: number;
  readonly failed: number;
}

/** Books that add up. `total` = `read` + `waiting`; `counted.read` = `passed` + `dropped` + `failed`. */
export interface Books {
  readonly total: number;
  readonly read: number;
  readonly waiting: number;
  readonly counted: Pick<Tally, "read" | "passed" | "dropped" | "failed">;
  /** Since when `counted` counts: the whole run, or since this page first saw the run. */
  readonly since: "run" | "page";
  readonly run: number;
  /** The run before that this one went on from, at the very record where it stopped; null when not seen or not so. */
  readonly continues: number | null;
}

export interface Ledger {
  readonly first: Tally | null;
  readonly newest: Tally | null;
  /** The last that was seen of the run before. */
  readonly before: Tally | null;
  readonly books: Books | null;
  /** The batch after which the books last added up. */
  readonly agreed: Pick<Tally, "run" | "batch"> | null;
}

export const NO_LEDGER: Ledger = { first: null, newest: null, before: null, books: null, agreed: null };

/** One batch is granted: how far the topic reaches may be asked a moment later. */
const GRANTED_BATCHES = 1;

/** The ledger with newer numbers in it. */
export function enter(ledger: Ledger, numbers: Numbers, source: Source): Ledger {
  const tally = tallyOf(numbers, source);
  if (tally === null) return ledger;
  const isSameRun = ledger.newest?.run === tally.run;
  const first = isSameRun ? ledger.first : tally;
  const before = isSameRun ? ledger.before : ledger.newest;
  const books = booksOf(numbers, source, tally, first ?? tally, before);
  if (books === null) return { ...ledger, first, before, newest: tally };
  return { first, before, newest: tally, books, agreed: tally };
}

/** The books to show; null while they do not add up, for longer than a batch takes. */
export function shownBooks({ books, agreed, newest }: Ledger): Books | null {
  if (agreed === null || newest === null || agreed.run !== newest.run) return null;
  return newest.batch - agreed.batch > GRANTED_BATCHES ? null : books;
}

/** Null until the run has committed a batch: before that its offsets are those the run before told of. */
function tallyOf({ generation: run, batch, nodes, sources }: Numbers, { topic, node }: Source): Tally | null {
  const counts = nodes[node];
  const offsets = sources[topic]?.offsets ?? [];
  if (batch.number === null || counts === undefined || offsets.length === 0) return null;
  return {
    run,
    batch: batch.number,
    read: sum(offsets),
    counted: counts.in,
    passed: counts.out,
    dropped: counts.dropped,
    failed: counts.errors,
  };
}

function booksOf(
  { sources }: Numbers,
  { topic, start }: Source,
  tally: Tally,
  first: Tally,
  before: Tally | null,
): Books | null {
  const { offsets = [], ends = [] } = sources[topic] ?? {};
  const isKnown = offsets.length === ends.length && offsets.every((offset, part) => offset <= (ends[part] ?? 0));
  const began = tally.read - tally.counted;
  const continues = before !== null && before.read === began ? before.run : null;
  const since = continues !== null || start === began ? "run" : "page";
  const counted = since === "run" ? { ...tally, read: tally.counted } : difference(tally, first);
  if (!isKnown || counted.read !== counted.passed + counted.dropped + counted.failed) return null;
  const { read, passed, dropped, failed } = counted;
  return {
    total: sum(ends),
    read: tally.read,
    waiting: sum(ends) - tally.read,
    counted: { read, passed, dropped, failed },
    since,
    run: tally.run,
    continues,
  };
}

/** What was read by the offsets, against what was counted, between two batches of a run. */
function difference(tally: Tally, first: Tally): Books["counted"] {
  return {
    read: tally.read - first.read,
    passed: tally.passed - first.passed,
    dropped: tally.dropped - first.dropped,
    failed: tally.failed - first.failed,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
