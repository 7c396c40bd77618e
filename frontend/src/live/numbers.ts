import { STALE_MS } from "../api/values";
import { countOf, moment } from "../numbers/format";
import type { Point } from "./history";
import type { LiveState, Numbers, SourceNumbers } from "./state";

const LIVE: readonly string[] = ["starting", "restoring", "running", "stopping"];

type Lag = Pick<SourceNumbers, "total_lag" | "lag_s" | "trend">;
type TransactionWait = Pick<SourceNumbers, "held_up" | "held_by">;

/**
 * How far behind some topics are together: the time and the trend are those of the one that is furthest behind.
 * Unknown (null) while the lag of one is.
 */
export function lagTogether(sources: readonly Lag[]): Lag | null {
  const [first, ...others] = sources.toSorted((one, other) => (other.lag_s ?? 0) - (one.lag_s ?? 0));
  if (first === undefined || sources.some(({ total_lag }) => total_lag === null)) return null;
  if (others.length === 0) return first;
  return { ...first, total_lag: sources.reduce((sum, { total_lag }) => sum + (total_lag ?? 0), 0) };
}

/** Records that a transaction holds up; numbers of an older run do not say. */
export function waitCount(sources: readonly TransactionWait[]): number {
  return sources.reduce((sum, { held_up }) => sum + (held_up ?? 0), 0);
}

/** "512 records wait behind an open transaction of producer orders-1 since …"; empty where none do. */
export function waitWords(sources: readonly TransactionWait[]): string {
  const amount = waitCount(sources);
  if (amount === 0) return "";
  const holder = sources.find(({ held_by }) => held_by != null)?.held_by;
  return `${countOf(amount, "record")} ${amount === 1 ? "waits" : "wait"} behind an open transaction${whose(holder)}`;
}

/** Of which producer, and since when; one that no coordinator knows never ends by itself. */
function whose(holder: SourceNumbers["held_by"]): string {
  if (holder == null) return "";
  const { transactional_id, producer_id, since } = holder;
  const words = ` of producer ${transactional_id ?? `id ${producer_id}`} since ${moment(since)}`;
  return transactional_id === null ? `${words}; Kafka does not end it by itself` : words;
}

/** How old the numbers are when they are older than they should be of a run that is alive; else null. */
export function staleFor(state: LiveState | null, now: number): number | null {
  if (state === null || state.heard_at === null || !LIVE.includes(state.standing.status)) return null;
  const age = now - state.heard_at;
  return age > STALE_MS ? age : null;
}

/** What of the numbers a sparkline keeps. */
export function pointOf(numbers: Numbers): Point {
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
