/** Requests of a topic's records panel. */
import { makeDecodedPath } from "../../api/feed";
import type { FormatName, RecordSearch } from "../../api/types";

export type Mode = "live" | NonNullable<RecordSearch["begin"]>;

/** The form above the records. */
export interface RecordQuery {
  readonly mode: Mode;
  /** Empty: all. */
  readonly partition: string;
  readonly offset: string;
  /** Local date and time from the form. */
  readonly time: string;
  readonly key: string;
  readonly text: string;
  readonly keyFormat: FormatName | null;
  readonly valueFormat: FormatName | null;
}

export const MODES: readonly { readonly mode: Mode; readonly word: string }[] = [
  { mode: "newest", word: "newest first" },
  { mode: "live", word: "live" },
  { mode: "oldest", word: "from the beginning" },
  { mode: "offset", word: "from an offset" },
  { mode: "time", word: "from a time" },
];

/** A form for the newest records, or for those from one on. */
export function makeQuery(place: { readonly partition: number; readonly offset: number } | null): RecordQuery {
  return {
    mode: place === null ? "newest" : "offset",
    partition: place === null ? "" : String(place.partition),
    offset: String(place?.offset ?? 0),
    time: "",
    key: "",
    text: "",
    keyFormat: null,
    valueFormat: null,
  };
}

/** The request to the server, or null while the form is incomplete. */
export function makeSearch(query: RecordQuery): RecordSearch | null {
  const time = new Date(query.time).getTime();
  if (query.mode === "live" || (query.mode === "time" && Number.isNaN(time))) return null;
  return {
    begin: query.mode,
    partition: query.partition === "" ? null : Number(query.partition),
    offset: query.mode === "offset" ? Math.max(0, Math.trunc(Number(query.offset))) : 0,
    time_ms: query.mode === "time" ? Math.max(0, time) : 0,
    key: query.key,
    text: query.text.trim(),
    count: 50,
    key_format: query.keyFormat,
    value_format: query.valueFormat,
  };
}

/** The address of the live records, with decoding. */
export function makeLivePath(path: string, { keyFormat, valueFormat }: RecordQuery): string {
  return makeDecodedPath(path, { key: keyFormat, value: valueFormat });
}
