/** Requests about the sample feed and the job that uses it. The messages of feeds are named here too. */
import { request } from "./request";
import type { FormatName } from "./types";
import type { components } from "./schema";

type Schemas = components["schemas"];

/** The target and the progress of the sample feed. `rate` is in records per second. */
export type SampleFeed = Schemas["FeedOut"];

export const fetchSampleFeed = () => request("get", "/api/sample-feed");
export const changeSampleFeed = (change: Schemas["FeedIn"]) => request("patch", "/api/sample-feed", { body: change });
export const sendBrokenRecords = (count: number) => request("post", "/api/sample-feed/broken", { body: { count } });
export const killRun = (job: number) => request("post", "/api/jobs/{job_id}/kill-run", { path: { job_id: job } });

/** The sample data of a topology from the gallery: whether its records are played, and until when. */
export type SampleData = Schemas["SampleDataOut"];

export const runWithSampleData = (application: string, project: string) =>
  request("post", "/api/gallery/{application}/run", { path: { application }, body: { project } });
/** Of all topologies that the user sees. */
export const listSampleData = () => request("get", "/api/sample-data");
export const fetchSampleData = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/sample-data", { path: { topology_id: topology } });
export const playSampleData = (topology: number, isPlaying: boolean) =>
  request("patch", "/api/topologies/{topology_id}/sample-data", {
    path: { topology_id: topology },
    body: { is_playing: isPlaying },
  });
export const removeSampleData = (topology: number) =>
  request("delete", "/api/topologies/{topology_id}/sample-data", { path: { topology_id: topology } });

export type DeadLetterDetails = Schemas["DeadLetterDetails"];
export type LogLine = Schemas["Line"];
/** A tailed or found record. A failed record has a letter. */
export type FeedRecord = Schemas["FeedRecord"];
/** What the server says on a feed's websocket. */
export type FeedMessage = Schemas["FeedMessage"];

/** The failure of a record, or null if it did not fail. */
export function findDeadLetter(record: FeedRecord): DeadLetterDetails | null {
  return "letter" in record ? record.letter : null;
}

/** The formatted key and value of a record, or null if it is shown unchanged. */
export function asDecodedRecord(record: FeedRecord): Schemas["DecodedMessageOut"] | null {
  return "key_raw" in record ? record : null;
}

export const makeRecordsPath = (cluster: string, topic: string) =>
  `/ws/clusters/${encodeURIComponent(cluster)}/topics/${encodeURIComponent(topic)}/`;
/** The same feed with keys and values in their formats. The server guesses those that are null. */
export function makeDecodedPath(
  path: string,
  { key, value }: { readonly key: FormatName | null; readonly value: FormatName | null },
): string {
  const formats = [
    ...(key === null ? [] : [`key_format=${key}`]),
    ...(value === null ? [] : [`value_format=${value}`]),
  ];
  return `${path}?${["decoded=1", ...formats].join("&")}`;
}

export const makeDeadLettersPath = (job: number, node: string | null) =>
  `/ws/jobs/${job}/dead-letters/${node === null ? "" : `?node=${encodeURIComponent(node)}`}`;
export const makeLogPath = (job: number, run: number) => `/ws/jobs/${job}/log/?run=${run}`;
