/** The fields in a topic's examples, and the best ones for a first step. */
import type { Message, RecordSchema } from "../../api/types";
import { quote } from "../../inspector/expression/names";

export type ExampleRecord = Pick<Message, "key" | "value" | "is_value_base64">;

export interface FieldExamples {
  readonly name: string;
  readonly kind: string;
  /** The field of each record that has it. */
  readonly values: readonly unknown[];
}

export function listFields({ value }: RecordSchema, messages: readonly ExampleRecord[]): FieldExamples[] {
  const records = messages.map(readRecord);
  return (value.type.fields ?? []).map(({ name, type }) => ({
    name,
    kind: type.kind,
    values: records.map((record) => record[name]).filter((one) => one !== undefined && one !== null),
  }));
}

/** The fields of a record's value. None if it is not a JSON object. */
function readRecord({ value, is_value_base64 }: ExampleRecord): Readonly<Record<string, unknown>> {
  if (value === null || is_value_base64) return {};
  try {
    const content: unknown = JSON.parse(value);
    return typeof content === "object" && content !== null ? (content as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** A number that measures something and does not name, count or date. Null if there is none. */
export function findMeasure(fields: readonly FieldExamples[]): FieldExamples | null {
  const numbers = fields.filter(({ kind, values }) => NUMBERS.has(kind) && countDistinct(values) > 1);
  const telling = numbers.find(({ name }) => MEASURES.test(name));
  return telling ?? numbers.find(({ name }) => !NAMES_OR_DATES.test(name)) ?? null;
}

/** A text that sorts records into few groups: it repeats, and is neither the key nor a time. */
export function findCategory(fields: readonly FieldExamples[], keys: readonly (string | null)[]): FieldExamples | null {
  const namesOne = (text: string) => TIME.test(text) || keys.includes(text);
  const texts = fields.filter(
    ({ kind, values }) => kind === "string" && values.length > 0 && !values.map(String).some(namesOne),
  );
  const groups = texts.map((field) => ({ field, size: countDistinct(field.values) }));
  const repeating = groups.filter(({ field, size }) => size > 1 && size < field.values.length);
  const [fewest] = repeating.sort((one, other) => one.size - other.size);
  return (fewest ?? groups[0])?.field ?? null;
}

/** A round number that some of the values exceed and others do not. A broken record may have a text there. */
export function findThreshold(values: readonly unknown[]): number {
  const numbers = values.map(Number).filter(Number.isFinite).sort((a, b) => a - b);
  const [middle = 0, top = 0] = [numbers[Math.floor((numbers.length - 1) / 2)], numbers.at(-1)];
  const exact = (middle + top) / 2;
  const candidates = [1, 2, 3].map((digits) => Number(exact.toPrecision(digits)));
  return candidates.find((round) => round >= middle && round < top) ?? middle;
}

/** The name of a field in an expression, without prefix if it is unique. */
export function nameField(field: string): string {
  const name = quote(field);
  return name === field && !ROLES.has(field.toLowerCase()) ? name : `value.${name}`;
}

/** The field of a table's rows with their key. Other records may refer to the row by it. */
export function findKeyField(shape: RecordSchema, messages: readonly ExampleRecord[]): string | null {
  if (shape.key.type.kind !== "string" || messages.length === 0) return null;
  const fields = (shape.value.type.fields ?? []).filter(({ type }) => type.kind === "string");
  const isKey = (name: string) => messages.every((one) => one.key !== null && readRecord(one)[name] === one.key);
  return fields.find(({ name }) => isKey(name))?.name ?? null;
}

const NUMBERS = new Set(["integer", "double", "decimal"]);
const MEASURES = /delay|amount|price|total|cost|value|quantity|score|temp|speed|distance|duration|latency|size|weight/i;
const NAMES_OR_DATES = /(^|_)(id|no|nr|number|code|year|month|day|hour|minute|second|time|ts|timestamp|date|version)$/i;
const TIME = /^\d{4}-\d\d-\d\d/;
const ROLES = new Set("key value timestamp headers left right agg window".split(" "));

function countDistinct(values: readonly unknown[]): number {
  return new Set(values).size;
}
