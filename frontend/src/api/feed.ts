/** What the page asks of the sample feed and of a job it is tried on. The feeds' own messages are named here too. */
import { request } from "./request";
import type { components } from "./schema";
import type { Job, Message } from "./types";

/** What is wanted of the sample feed, and how far it is; `rate` is in records per second. */
export type SampleFeed = components["schemas"]["FeedOut"];

export const sampleFeed = () => request<SampleFeed | null>("GET", "/api/sample-feed");
export const changeSampleFeed = (wanted: Partial<Pick<SampleFeed, "rate" | "paused">>) =>
  request<SampleFeed>("PATCH", "/api/sample-feed", wanted);
export const sendBroken = (count: number) => request<SampleFeed>("POST", "/api/sample-feed/broken", { count });
export const killRun = (job: number) => request<Job>("POST", `/api/jobs/${job}/kill-run`);

/** Why a node failed a record, and where the record came from; null where the dead letter does not say. */
export interface Letter {
  readonly node: string | null;
  readonly reason: string | null;
  readonly exception: string | null;
  readonly topic: string | null;
  readonly partition: number | null;
  readonly offset: number | null;
  /** The topic that did not take it. */
  readonly output_topic: string | null;
}

/** A record as it is tailed; with a letter when it is one that failed. */
export interface FeedRecord extends Message {
  readonly letter?: Letter;
}

/** A line of a run's log; `at` in ms, null on the lines that follow the first of a longer entry. */
export interface LogLine {
  readonly number: number;
  readonly at: number | null;
  readonly level: string | null;
  readonly logger: string;
  readonly text: string;
}

/** What the server says on a feed's websocket. After `waiting` or `refused` the next `records` or `lines` goes on. */
export type FeedMessage =
  | { readonly type: "records"; readonly records: readonly FeedRecord[]; readonly skipped: number }
  | { readonly type: "lines"; readonly run: number; readonly lines: readonly LogLine[]; readonly skipped: number }
  | { readonly type: "waiting"; readonly message: string }
  | { readonly type: "refused"; readonly code: string; readonly message: string; readonly hint: string };

export const recordsPath = (cluster: string, topic: string) =>
  `/ws/clusters/${encodeURIComponent(cluster)}/topics/${encodeURIComponent(topic)}/`;
export const lettersPath = (job: number, node: string | null) =>
  `/ws/jobs/${job}/dead-letters/${node === null ? "" : `?node=${encodeURIComponent(node)}`}`;
export const logPath = (job: number, run: number) => `/ws/jobs/${job}/log/?run=${run}`;
