/** What is sent to a topic for what stands in the form. */
import type { FeedRecord } from "../../api/feed";
import type { NewRecord } from "../../api/types";
import { mark } from "../../records/content";

type Headers = NewRecord["headers"];

/** The headers of a record as they are sent again. */
export function headersOf({ headers }: FeedRecord): Headers {
  return headers.map(({ key, value, value_is_base64 }) => ({
    key,
    value: value === null ? null : mark(value, value_is_base64),
  }));
}

/** One record, or one for each line of the value that is not blank. */
export function linesOf(
  key: string | null,
  value: string | null,
  isEachLine: boolean,
  headers: Headers,
): readonly NewRecord[] {
  const values = isEachLine && value !== null ? value.split("\n").filter((line) => line.trim() !== "") : [value];
  return values.map((each) => ({ key, value: each, headers }));
}
