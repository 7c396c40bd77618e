/** The state of a job from its websocket. Types, words and units are those of runner/watch/live/messages.py. */

import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Status = Schemas["Status"];
export type Size = Schemas["Size"];
export type DroppedRecord = Schemas["DroppedRecord"];
export type NodeNumbers = Schemas["NodeNumbers"];
export type SourceNumbers = Schemas["SourceNumbers"];
export type Numbers = Schemas["RunNumbers"];
export type Cause = Schemas["Cause"];
export type LostExecutor = Schemas["ExecutorLoss"];
export type Step = Schemas["StartStep"];
export type Snapshot = Schemas["Snapshot"];
export type LiveEvent = Schemas["LiveEvent"];
export type JobStatus = Schemas["JobStatus"];

/** `heard_at`: when the numbers were true, by this browser's clock. Null while there are none. */
export interface LiveState {
  readonly sequence: number;
  readonly jobStatus: JobStatus;
  readonly numbers: Numbers | null;
  readonly heard_at: number | null;
}
