/** Small valid states for tests. */

import type { LiveState, NodeNumbers, Numbers, SourceNumbers, JobStatus } from "./state";

export const JOB_STATUS: JobStatus = {
  job: 7,
  status: "running",
  desired: "running",
  is_blocked: false,
  problem: null,
  version: 3,
  running_version: 3,
  epoch: 1,
  run: 40,
  generation: 7,
  host: "one",
  stop_reason: "",
  failure: null,
  last_failure: null,
  failed_runs: 0,
  batch_divisor: 1,
  start_after: null,
  started_at: "2026-01-01T00:00:00Z",
  ended_at: null,
  steps: [],
  lost_executors: [],
};

export const SOURCE: SourceNumbers = {
  rate: 500,
  offsets: [10, 20],
  ends: [15, 20],
  lag: [5, 0],
  total_lag: 5,
  lag_s: 0,
  catch_up_s: null,
  trend: "steady",
  waiting: [0, 0],
  total_waiting: 0,
  waiting_s: null,
  held_up: 0,
};

export const NODE: NodeNumbers = {
  in: 100,
  out: 100,
  dropped: 0,
  errors: 0,
  rate: 500,
  out_rate: 500,
  busy: 0.1,
  state: null,
};

export const NUMBERS: Numbers = {
  at: 1_000,
  run: 40,
  generation: 7,
  records_in: 100,
  rate: 500,
  lag: 5,
  waiting: 0,
  dead_letters: 0,
  latency_ms: 200,
  memory: 900_000_000,
  state: { rows: 4, bytes: 400 },
  batch: { number: 9, in_batch_ms: 0, duration_ms: 150 },
  slowest: "paid",
  nodes: {
    orders: NODE,
    paid: { ...NODE, out: 60, out_rate: 300, busy: 0.3, state: { rows: 4, bytes: 400 } },
  },
  sources: { orders: SOURCE },
};

export const LIVE: LiveState = { sequence: 4, jobStatus: JOB_STATUS, numbers: NUMBERS, heard_at: 50_000 };
