/** The state of a tail: the newest records first, up to a limit, and why none arrive. */
import { findDeadLetter, type FeedMessage, type FeedRecord } from "../../api/feed";
import { applyNoteMessage, type Note } from "../feed/notes";

export const MAX_RECORDS = 500;

export interface Tail {
  readonly records: readonly FeedRecord[];
  /** Records of the topic that passed without being shown. */
  readonly skipCount: number;
  readonly note: Note | null;
  /** Whether the topic was read. Before that, no records means nothing. */
  readonly hasRead: boolean;
}

export const NO_TAIL: Tail = { records: [], skipCount: 0, note: null, hasRead: false };

export function applyTailMessage(tail: Tail, message: FeedMessage): Tail {
  if (message.type === "records") {
    return {
      records: withNewer(tail.records, message.records),
      skipCount: tail.skipCount + message.skipped,
      note: null,
      hasRead: true,
    };
  }
  return { ...tail, note: applyNoteMessage(tail.note, message) };
}

export function makeRecordKey({ partition, offset }: Pick<FeedRecord, "partition" | "offset">): string {
  return `${partition}:${offset}`;
}

/** Whether a record's key, value or headers contain the text. Ignores case. */
export function contains(record: FeedRecord, text: string): boolean {
  const query = text.trim().toLowerCase();
  if (query === "") return true;
  const headers = record.headers.flatMap(({ key, value }) => [key, value]);
  const letter = findDeadLetter(record);
  const deadLetterTexts = [letter?.node, letter?.reason];
  return [record.key, record.value, ...headers, ...deadLetterTexts].some((one) => one?.toLowerCase().includes(query));
}

/** `came` is oldest first, as the server sends it. A new connection repeats known records. */
function withNewer(before: readonly FeedRecord[], came: readonly FeedRecord[]): readonly FeedRecord[] {
  const keys = new Set(before.map(makeRecordKey));
  const fresh = came.filter((record) => !keys.has(makeRecordKey(record))).reverse();
  return fresh.length === 0 ? before : [...fresh, ...before].slice(0, MAX_RECORDS);
}
