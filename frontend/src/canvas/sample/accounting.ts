/**
 * The balance of a topic: does its input add up with the job's own counts? They claim only what can be proved.
 *
 * Offsets and counters are both of the last committed batch, whose results are in Kafka in one transaction with its
 * offsets. But offsets are Spark's, and counters are the engine's own: nothing guarantees that both move on by the
 * same number. The end of the topic is read once a second, so it can be older than the offsets.
 */
import type { Numbers } from "../../live/state";

export interface Source {
  readonly topic: string;
  readonly node: string;
  /** The sum of the offsets of all partitions when this run began, as the run before left it. Null if unknown. */
  readonly start: number | null;
}

/** A run after one of its batches: its place in the topic, and the counts of its source node since it began. */
interface Tally {
  readonly run: number;
  readonly batch: number;
  readonly readCount: number;
  readonly inCount: number;
  readonly outCount: number;
  readonly dropCount: number;
  readonly errorCount: number;
}

/** Balance that add up: all = read + waiting, and since the start of counting, read = passed on + dropped + failed. */
export interface Balance {
  readonly total: number;
  readonly readCount: number;
  readonly waiting: number;
  readonly counts: Pick<Tally, "readCount" | "outCount" | "dropCount" | "errorCount">;
  /** The start of `counts`: the whole run, or since this page first saw the run. */
  readonly since: "run" | "page";
  readonly run: number;
  /** The previous run if this one continued at the very record where it stopped. Null if not, or not seen. */
  readonly continues: number | null;
}

export interface Ledger {
  readonly first: Tally | null;
  readonly newest: Tally | null;
  /** The last state seen of the previous run. */
  readonly before: Tally | null;
  readonly balance: Balance | null;
  /** The last batch after which the balance added up. */
  readonly agreement: Pick<Tally, "run" | "batch"> | null;
}

export const NO_LEDGER: Ledger = { first: null, newest: null, before: null, balance: null, agreement: null };

/** One batch of tolerance: the end of the topic may be read a moment later. */
const GRANTED_BATCHES = 1;

/** The ledger with newer numbers. */
export function addNumbers(ledger: Ledger, numbers: Numbers, source: Source): Ledger {
  const tally = readTally(numbers, source);
  if (tally === null) return ledger;
  const isSameRun = ledger.newest?.run === tally.run;
  const first = isSameRun ? ledger.first : tally;
  const before = isSameRun ? ledger.before : ledger.newest;
  const balance = makeBalance(numbers, source, tally, first ?? tally, before);
  if (balance === null) return { ...ledger, first, before, newest: tally };
  return { first, before, newest: tally, balance, agreement: tally };
}

/** The balance to show. Null if they do not add up for longer than a batch takes. */
export function chooseBalance({ balance, agreement, newest }: Ledger): Balance | null {
  if (agreement === null || newest === null || agreement.run !== newest.run) return null;
  return newest.batch - agreement.batch > GRANTED_BATCHES ? null : balance;
}

/** Null until the run has committed a batch: before that its offsets come from the previous run. */
function readTally({ generation: run, batch, nodes, sources }: Numbers, { topic, node }: Source): Tally | null {
  const counts = nodes[node];
  const offsets = sources[topic]?.offsets ?? [];
  if (batch.number === null || counts === undefined || offsets.length === 0) return null;
  return {
    run,
    batch: batch.number,
    readCount: sum(offsets),
    inCount: counts.in,
    outCount: counts.out,
    dropCount: counts.dropped,
    errorCount: counts.errors,
  };
}

function makeBalance(
  { sources }: Numbers,
  { topic, start }: Source,
  tally: Tally,
  first: Tally,
  before: Tally | null,
): Balance | null {
  const { offsets = [], ends = [] } = sources[topic] ?? {};
  const isKnown = offsets.length === ends.length && offsets.every((offset, part) => offset <= (ends[part] ?? 0));
  const began = tally.readCount - tally.inCount;
  const continues = before !== null && before.readCount === began ? before.run : null;
  const since = continues !== null || start === began ? "run" : "page";
  const counts = since === "run" ? { ...tally, readCount: tally.inCount } : subtractTally(tally, first);
  if (!isKnown || counts.readCount !== counts.outCount + counts.dropCount + counts.errorCount) return null;
  const { readCount, outCount, dropCount, errorCount } = counts;
  return {
    total: sum(ends),
    readCount: tally.readCount,
    waiting: sum(ends) - tally.readCount,
    counts: { readCount, outCount, dropCount, errorCount },
    since,
    run: tally.run,
    continues,
  };
}

/** Records read by offsets and by counters, between two batches of a run. */
function subtractTally(tally: Tally, first: Tally): Balance["counts"] {
  return {
    readCount: tally.readCount - first.readCount,
    outCount: tally.outCount - first.outCount,
    dropCount: tally.dropCount - first.dropCount,
    errorCount: tally.errorCount - first.errorCount,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
