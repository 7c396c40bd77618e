import { STALE_MS } from "../api/values";
import { formatAmount, formatMoment } from "../ui/text/format";
import type { Point } from "./history";
import type { LiveState, Numbers, SourceNumbers } from "./state";

const LIVE: readonly string[] = ["starting", "restoring", "running", "stopping"];

type Lag = Pick<SourceNumbers, "total_lag" | "lag_s" | "trend">;
type TransactionWait = Pick<SourceNumbers, "held_up" | "held_by">;

/**
 * The lag of several topics together. The time and the trend are those of the largest lag.
 * Unknown (null) while one lag is.
 */
export function mergeLags(sources: readonly Lag[]): Lag | null {
  const [first, ...others] = sources.toSorted((one, other) => (other.lag_s ?? 0) - (one.lag_s ?? 0));
  if (first === undefined || sources.some(({ total_lag }) => total_lag === null)) return null;
  if (others.length === 0) return first;
  return { ...first, total_lag: sources.reduce((sum, { total_lag }) => sum + (total_lag ?? 0), 0) };
}

/** Records behind an open transaction. Numbers of an older run do not have it. */
export function countWaiting(sources: readonly TransactionWait[]): number {
  return sources.reduce((sum, { held_up }) => sum + (held_up ?? 0), 0);
}

/** "512 records wait behind an open transaction of producer orders-1 since …", or empty if none do. */
export function describeWait(sources: readonly TransactionWait[]): string {
  const amount = countWaiting(sources);
  if (amount === 0) return "";
  const holder = sources.find(({ held_by }) => held_by != null)?.held_by;
  const subject = `${formatAmount(amount, "record")} ${amount === 1 ? "waits" : "wait"}`;
  return `${subject} behind an open transaction${describeHolder(holder)}`;
}

/** The producer and its start. A transaction that no coordinator knows never ends by itself. */
function describeHolder(holder: SourceNumbers["held_by"]): string {
  if (holder == null) return "";
  const { transactional_id, producer_id, since } = holder;
  const words = ` of producer ${transactional_id ?? `id ${producer_id}`} since ${formatMoment(since)}`;
  return transactional_id === null ? `${words}; Kafka does not end it by itself` : words;
}

/** The age of the numbers if they are too old for a live run, else null. */
export function findStaleAge(state: LiveState | null, now: number): number | null {
  if (state === null || state.heard_at === null || !LIVE.includes(state.standing.status)) return null;
  const age = now - state.heard_at;
  return age > STALE_MS ? age : null;
}

/** The numbers that a sparkline keeps. */
export function makePoint(numbers: Numbers): Point {
  return {
    at: numbers.at,
    rate: numbers.rate,
    lag: numbers.lag,
    waiting: numbers.waiting,
    latency_ms: numbers.latency_ms,
    batch_ms: numbers.batch.duration_ms ?? null,
    memory_bytes: numbers.memory,
    state_rows: numbers.state.rows,
    state_bytes: numbers.state.bytes,
  };
}
