/** What the page asks of the sample feed and of a job it is tried on. The feeds' own messages are named here too. */
import { request } from "./request";
import type { components } from "./schema";
import type { Job, Message } from "./types";

type Schemas = components["schemas"];

/** What is wanted of the sample feed, and how far it is; `rate` is in records per second. */
export type SampleFeed = Schemas["FeedOut"];

export const sampleFeed = () => request<SampleFeed | null>("GET", "/api/sample-feed");
export const changeSampleFeed = (change: Partial<Pick<SampleFeed, "rate" | "is_paused">>) =>
  request<SampleFeed>("PATCH", "/api/sample-feed", change);
export const sendBrokenRecords = (count: number) => request<SampleFeed>("POST", "/api/sample-feed/broken", { count });
export const killRun = (job: number) => request<Job>("POST", `/api/jobs/${job}/kill-run`);

export type Letter = Schemas["Letter"];
export type LogLine = Schemas["Line"];
/** A record as it is tailed; with a letter when it is one that failed. */
export type FeedRecord = Message & Partial<Schemas["DeadLetter"]> & Partial<Schemas["DecodedMessageOut"]>;
/** What the server says on a feed's websocket. */
export type FeedMessage =
  | (Omit<Schemas["Records"], "records"> & { readonly records: readonly FeedRecord[] })
  | Schemas["Lines"]
  | Schemas["Waiting"]
  | Schemas["Refused"];

export const recordsPath = (cluster: string, topic: string) =>
  `/ws/clusters/${encodeURIComponent(cluster)}/topics/${encodeURIComponent(topic)}/`;
export const lettersPath = (job: number, node: string | null) =>
  `/ws/jobs/${job}/dead-letters/${node === null ? "" : `?node=${encodeURIComponent(node)}`}`;
export const logPath = (job: number, run: number) => `/ws/jobs/${job}/log/?run=${run}`;
