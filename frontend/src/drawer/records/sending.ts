/** Makes the records to send from the form. */
import { Refusal } from "../../api/refusal";
import { asDecodedRecord, type FeedRecord } from "../../api/feed";
import type { FormatName, RecordMetadata, NewRecord, NewRecords } from "../../api/types";
import { mark } from "../../ui/text/content";
import { formatRecordPlace } from "../../ui/text/format";
import { compact, indentJson, parseMembers, readText } from "../../ui/text/json";

type Headers = NonNullable<NewRecord["headers"]>;
type Side = "key" | "value";

/** The formats of typed keys and values. Null: the text is the bytes. */
export type Formats = Readonly<Record<Side, FormatName | null>>;

export type SchemaIds = Readonly<Record<Side, number | null>>;

/** A form for one record, or for one per line of the value. */
export interface RecordForm {
  readonly key: string | null;
  readonly value: string | null;
  readonly formats: Formats;
  /** The ids of the registry's schemas with which to write. Null: the format alone. */
  readonly schemas: SchemaIds;
  /** One per line, "name: value". A name alone has the value null. */
  readonly headers: string;
  /** Empty: the key decides. */
  readonly partition: string;
  /** Local date and time from a form. Empty: now. */
  readonly time: string;
  readonly isEachLine: boolean;
  /** The field of each line that becomes its key. Empty: all have the form's key. */
  readonly keyField: string;
  /** The text between key and value, as in `kafka-console-producer --property parse.key=true`. Empty: none. */
  readonly separator: string;
}

export const AT_ONCE = 5_000;
/** Also that of Windows, which is no part of a value. */
const LINE_END = /\r?\n/;

/** An empty form: without a key, so that records go to partitions in turn. */
export const BLANK: RecordForm = {
  key: null,
  value: "",
  formats: { key: null, value: null },
  schemas: { key: null, value: null },
  headers: "",
  partition: "",
  time: "",
  isEachLine: false,
  keyField: "",
  separator: "",
};

/** A form filled with a record in these formats. */
export function makeForm(record: FeedRecord, formats: Formats): RecordForm {
  return {
    ...BLANK,
    key: formatSide(record, "key"),
    value: formatSide(record, "value"),
    formats: { key: chooseFormat(record, "key", formats), value: chooseFormat(record, "value", formats) },
    headers: record.headers.map(formatHeader).join("\n"),
  };
}

/** Copies key, value and headers with the same bytes. The time is now, and the key decides the partition. */
export function copyRecord(record: FeedRecord): NewRecord {
  return {
    key: encodeSide(record, "key"),
    value: encodeSide(record, "value"),
    headers: record.headers.map(({ key, value, is_value_base64 }) => ({ key, value: encode(value, is_value_base64) })),
  };
}

/** Whether part of a record is missing here and would be lost. */
export function isCut({ is_key_cut, is_value_cut, headers, headers_left_out }: FeedRecord): boolean {
  return is_key_cut || is_value_cut || headers_left_out > 0 || headers.some((header) => header.is_value_cut);
}

/** The records that the form describes. Throws a Refusal for a line without its key. */
export function makeRecords(form: RecordForm): readonly NewRecord[] {
  const { key, value, isEachLine, keyField, separator } = form;
  const lines = isEachLine && value !== null ? value.split(LINE_END).filter((line) => line.trim() !== "") : [value];
  const rest = {
    headers: parseHeaders(form.headers),
    partition: form.partition === "" ? null : Number(form.partition),
    timestamp: form.time === "" ? null : new Date(form.time).getTime(),
  };
  if (isEachLine && separator !== "") return lines.map((line) => ({ ...splitLine(line ?? "", separator), ...rest }));
  const readKey = (line: string | null) => readText(parseMembers(line ?? "").get(keyField));
  const keyOf = (line: string | null) => (isEachLine && keyField !== "" ? readKey(line) : key);
  return lines.map((line) => ({ key: keyOf(line), value: line, ...rest }));
}

/** Whether each line of a text is a JSON object of its own, so that one record of it all is hardly meant. */
export function holdsRecords(text: string | null): boolean {
  const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => parseMembers(line).size > 0);
}

/** "alice:3" as a key and a value. */
function splitLine(line: string, separator: string): Pick<NewRecord, "key" | "value"> {
  const at = line.indexOf(separator);
  if (at >= 0) return { key: line.slice(0, at), value: line.slice(at + separator.length) };
  const hint = "Write the key before it, or empty the field “Key before”.";
  throw new Refusal(422, "line.no_key", `A line has no \`${separator}\`: ${line.slice(0, 80)}`, hint);
}

export function makeRequest(
  records: readonly NewRecord[],
  formats: Formats,
  schemas: SchemaIds = BLANK.schemas,
): NewRecords {
  const { key, value } = schemas;
  return { records, key_format: formats.key, value_format: formats.value, key_schema: key, value_schema: value };
}

/** Parts as large as one request may carry. */
export function splitIntoParts<T>(all: readonly T[], size = AT_ONCE): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
}

/** "2@15, 2@16 and 8 more": partitions and offsets. */
export function describeLanding(places: readonly RecordMetadata[], sendCount: number): string {
  const first = places.slice(0, 3).map(formatRecordPlace);
  return sendCount > first.length ? `${first.join(", ")} and ${sendCount - first.length} more` : first.join(", ");
}

export function parseHeaders(text: string): Headers {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 0) return { key: line.trim(), value: null };
    return { key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
  });
}

/** A JSON object with one changed member and all others spelled as before. Replaces a text that is not an object. */
export function withMember(text: string, name: string, value: string): string {
  const members = new Map([...parseMembers(text)]).set(name, value);
  const parts = [...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  return indentJson(compact(`{${parts.join(",")}}`));
}

/** A value that a line cannot hold as it is, such as one of two lines, is marked bytes. */
function formatHeader({ key, value, is_value_base64 }: FeedRecord["headers"][number]): string {
  if (value === null) return key;
  const isPlain = is_value_base64 || (value.trim() === value && !/[\r\n]/.test(value));
  return `${key}: ${isPlain ? encode(value, is_value_base64) : mark(toBase64(value), true)}`;
}

function formatSide(record: FeedRecord, side: Side): string | null {
  const text = record[side];
  if (text === null) return null;
  return record[`is_${side}_base64`] ? mark(text, true) : indentJson(text);
}

/** Bytes that do not fit the format stay unchanged. */
function chooseFormat(record: FeedRecord, side: Side, formats: Formats): FormatName | null {
  return asDecodedRecord(record)?.[`${side}_problem`] == null ? formats[side] : null;
}

function encodeSide(record: FeedRecord, side: Side): string | null {
  const raw = asDecodedRecord(record)?.[`${side}_raw`];
  return raw != null ? mark(raw, true) : encode(record[side], record[`is_${side}_base64`]);
}

/** A text or bytes as they are sent. A text that begins like marked bytes is marked, not to be taken for such. */
function encode(text: string, isBase64: boolean): string;
function encode(text: string | null, isBase64: boolean): string | null;
function encode(text: string | null, isBase64: boolean): string | null {
  if (text === null || isBase64) return text && mark(text, true);
  return text.startsWith("base64:") ? mark(toBase64(text), true) : text;
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
