/** The state of a job as its websocket tells it: the words and units are those of runner/watch/live. Times are ms. */

export type Status = "starting" | "restoring" | "running" | "stopping" | "stopped" | "failed";

/** How much is stored. */
export interface Size {
  readonly rows: number;
  readonly bytes: number;
}

/** A record that was dropped. Where it stood in its topic is not known behind a shuffle. */
export interface DroppedRecord {
  readonly topic: string;
  readonly partition: number | null;
  readonly offset: number | null;
  readonly timestamp: number;
  readonly key: string | null;
}

/**
 * `rate` is of records in, of a source of records out. `busy` is the share (0 to 1) of the workers' time that goes into
 * the node's own code; `state` is what its stores hold, null where it has none or has not said yet.
 * `dropped_by` counts what it dropped by reason, `dropped_samples` holds some of the last ones. `no_match` counts the
 * records that found no row in the table that a join looks up, `closed_idle` the results that went on by idle time,
 * `unlikely_times` the records that a source read whose time lies before 2000 or more than a day ahead.
 * The numbers balance: in + extra = out + dropped + errors + no result + waiting. `no_result` counts records without a
 * result by reason, `extra` results after the first of a record, `waiting` the records held back since the run began.
 * `dead_letters` is how many of the errors became some.
 */
export interface NodeNumbers {
  readonly in: number;
  readonly out: number;
  readonly dropped: number;
  readonly errors: number;
  readonly no_match?: number;
  readonly closed_idle?: number;
  readonly unlikely_times?: number;
  readonly rate: number;
  readonly out_rate: number;
  readonly busy: number;
  readonly state: Size | null;
  readonly dropped_by?: Readonly<Record<string, number>>;
  readonly dropped_samples?: Readonly<Record<string, readonly DroppedRecord[]>>;
  readonly no_result?: Readonly<Record<string, number>>;
  readonly extra?: number;
  readonly waiting?: number;
  readonly dead_letters?: number;
}

/** Where the lag goes, by the last seconds. */
export type Trend = "falling" | "steady" | "rising";

/**
 * Lists are by partition. `lag` counts committed records that are not read yet, null while it is not known how far the
 * topic reaches. `lag_s` is the seconds of work behind: 0 while the topic is kept up with, null while unknown or
 * nothing moves. `waiting` counts records behind an open transaction, which no read_committed reader gets yet;
 * `waiting_s` is for how long it has been; `held_up` is how many where that is seconds.
 */
export interface SourceNumbers {
  readonly rate: number;
  readonly offsets: readonly number[];
  readonly ends: readonly number[];
  readonly lag: readonly number[] | null;
  readonly total_lag: number | null;
  readonly lag_s: number | null;
  readonly catch_up_s: number | null;
  readonly trend: Trend | null;
  readonly waiting: readonly number[] | null;
  readonly total_waiting: number | null;
  readonly waiting_s: number | null;
  readonly held_up?: number;
}

export interface BatchNumbers {
  readonly number: number | null;
  readonly in_batch_ms: number;
  readonly started_at?: number;
  readonly committed_at?: number;
  readonly duration_ms?: number;
  readonly interval_ms?: number | null;
  readonly phases?: Readonly<Record<string, number>>;
}

/**
 * Counters are of the run since it began, rates per second, `at` is the server's clock. `slowest` is the node with the
 * highest `busy`, null while none has much to do.
 */
export interface Numbers {
  readonly at: number;
  readonly run: number;
  readonly generation: number;
  readonly records_in: number;
  readonly rate: number;
  /** Of all sources; null while that of one is unknown. */
  readonly lag: number | null;
  readonly waiting: number | null;
  readonly dead_letters: number;
  readonly latency_ms: number | null;
  /** Bytes that all processes of the run hold; null until they were counted. */
  readonly memory: number | null;
  readonly state: Size;
  readonly batch: BatchNumbers;
  readonly slowest: string | null;
  readonly nodes: Readonly<Record<string, NodeNumbers>>;
  readonly sources: Readonly<Record<string, SourceNumbers>>;
}

/** Why a run failed, or why none can be had. */
export interface Cause {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly node?: string | null;
  readonly batch?: number | null;
  readonly offsets?: Readonly<Record<string, unknown>> | null;
  readonly traceback?: string;
  readonly retriable?: boolean;
}

/** A step of a run's start, and when it began. */
export interface Step {
  readonly step: "session" | "kafka" | "restoring" | "first_batch" | "running";
  readonly at: number;
}

/** What is wanted of a job, what is so, and why not. */
export interface Standing {
  readonly status: Status;
  readonly desired: "running" | "stopped";
  readonly blocked: boolean;
  readonly problem: Cause | null;
  readonly version: number;
  readonly running_version: number | null;
  readonly epoch: number;
  readonly run: number | null;
  readonly generation: number | null;
  readonly stop_reason: string;
  readonly steps: readonly Step[];
  readonly failure: Cause | null;
  readonly start_after: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

export interface Snapshot extends Standing {
  readonly type: "snapshot";
  readonly sequence: number;
  readonly numbers: Numbers | null;
  readonly age_ms: number | null;
}

export type LiveEvent =
  | (Standing & { readonly type: "run.status_changed"; readonly sequence: number })
  | { readonly type: "job.progressed"; readonly sequence: number; readonly numbers: Partial<Numbers> };

/** `heard_at`: when the numbers were true, by the clock of this browser; null while there are none. */
export interface LiveState {
  readonly sequence: number;
  readonly standing: Standing;
  readonly numbers: Numbers | null;
  readonly heard_at: number | null;
}
