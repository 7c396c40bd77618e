/** What the page asks of the sample feed and of a job it is tried on. The feeds' own messages are named here too. */
import { request } from "./request";
import type { components } from "./schema";

type Schemas = components["schemas"];

/** What is wanted of the sample feed, and how far it is; `rate` is in records per second. */
export type SampleFeed = Schemas["FeedOut"];

export const fetchSampleFeed = () => request("get", "/api/sample-feed");
export const changeSampleFeed = (change: Schemas["FeedIn"]) => request("patch", "/api/sample-feed", { body: change });
export const sendBrokenRecords = (count: number) => request("post", "/api/sample-feed/broken", { body: { count } });
export const killRun = (job: number) => request("post", "/api/jobs/{job_id}/kill-run", { path: { job_id: job } });

export type Letter = Schemas["Letter"];
export type LogLine = Schemas["Line"];
/** A record as it is tailed or found; with a letter when it is one that failed. */
export type FeedRecord = Schemas["FeedRecord"];
/** What the server says on a feed's websocket. */
export type FeedMessage = Schemas["FeedMessage"];

/** What is said of a record that failed; null of any other. */
export function findLetter(record: FeedRecord): Letter | null {
  return "letter" in record ? record.letter : null;
}

/** What a record says that is shown in a format; null of one that is shown as it is. */
export function asDecodedRecord(record: FeedRecord): Schemas["DecodedMessageOut"] | null {
  return "key_raw" in record ? record : null;
}

export const makeRecordsPath = (cluster: string, topic: string) =>
  `/ws/clusters/${encodeURIComponent(cluster)}/topics/${encodeURIComponent(topic)}/`;
export const makeLettersPath = (job: number, node: string | null) =>
  `/ws/jobs/${job}/dead-letters/${node === null ? "" : `?node=${encodeURIComponent(node)}`}`;
export const makeLogPath = (job: number, run: number) => `/ws/jobs/${job}/log/?run=${run}`;
