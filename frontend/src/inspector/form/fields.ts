/** A form as fields to draw: what an operator's JSON Schema says of its config, in plain words. */
import type { FormSchema } from "../../api/types";

/** What fields or ports must hold, by their names. */
export type Conditions = NonNullable<FormSchema["shown"]>;

export type Kind =
  | "text"
  | "number"
  | "duration"
  /** One of many words, or of few. */
  | "choice"
  | "segments"
  | "switch"
  | "fixed"
  /** A list of small forms, or of plain values. */
  | "rows"
  | "values"
  | "topic"
  | "expression"
  | "code"
  | "json"
  | "declared-type";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** What holds while the field is empty; null if nothing does. */
  readonly fallback: unknown;
  /** What an empty field means, in words; "" if nothing is said. */
  readonly whenEmpty: string;
  /** What it may hold; of a text only what is often written. */
  readonly choices: readonly string[];
  readonly conditions: Conditions;
  /** With what others hold few set it; null if it is usual. */
  readonly more: Conditions | null;
  /** "" where there is but one. */
  readonly way: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The fields of each row of a list; of a list of plain values the one field, without a name. */
  readonly columns: readonly Field[];
  /** Whether a JSON text is in the config as what it says. */
  readonly isObject: boolean;
}

const FORMATS: Readonly<Record<string, Kind>> = {
  topic: "topic",
  expression: "expression",
  milliseconds: "duration",
  "declared-type": "declared-type",
  python: "code",
  "avro-schema": "json",
};
const TYPES: Readonly<Record<string, Kind>> = {
  boolean: "switch",
  integer: "number",
  number: "number",
};
/** What is more than two lines is in a list to open. */
const MAX_SEGMENTS = { choices: 5, letters: 44 };

/** The fields of a form, in the order they are shown. */
export function listFields(form: FormSchema, defs = form.$defs ?? {}): readonly Field[] {
  const requiredNames = new Set(form.required);
  return Object.entries(form.properties ?? {}).map(([name, property]) =>
    readField(name, property, requiredNames.has(name), defs),
  );
}

type Definitions = NonNullable<FormSchema["$defs"]>;

function readField(name: string, property: FormSchema, isRequired: boolean, defs: Definitions): Field {
  const schema = resolve(property, defs);
  const help = property.description ?? schema.description ?? "";
  const whenEmpty = property.empty_means ?? schema.empty_means ?? "";
  const choices = schema.enum ?? schema.examples ?? [];
  const fallback = property.default ?? property.empty_is ?? null;
  return {
    name,
    label: property.title ?? name,
    help,
    kind: chooseKind(schema, defs, isRequired || fallback !== null),
    isRequired,
    fallback,
    whenEmpty,
    choices,
    conditions: property.shown ?? schema.shown ?? {},
    more: property.more === true ? {} : property.more || null,
    way: property.way ?? "",
    minimum: schema.minimum,
    maximum: schema.maximum,
    columns: schema.items === undefined ? [] : listColumns(resolve(schema.items, defs), defs),
    isObject: schema.type === "object",
  };
}

function listColumns(items: FormSchema, defs: Definitions): readonly Field[] {
  return items.properties === undefined ? [readField("", items, true, defs)] : listFields(items, defs);
}

/** The schema itself: behind its reference, and without the null that says it may be left out. */
function resolve(schema: FormSchema, defs: Definitions): FormSchema {
  if (schema.$ref !== undefined) return resolve(defs[schema.$ref.replace("#/$defs/", "")] ?? {}, defs);
  const each = (schema.anyOf ?? []).filter(({ type }) => type !== "null").map((one) => resolve(one, defs));
  const [only, ...others] = each;
  if (only === undefined) return schema;
  return others.length === 0 ? only : mergeSchemas(each);
}

/** Of several schemas the freest, with the words of the others to choose from. */
function mergeSchemas(each: readonly FormSchema[]): FormSchema {
  const words = each.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
  const free = each.find((one) => one.enum === undefined && one.const === undefined);
  return free === undefined ? { type: "string", enum: words } : { ...free, examples: words };
}

function chooseKind(schema: FormSchema, defs: Definitions, isFilled: boolean): Kind {
  if (schema.const !== undefined) return "fixed";
  if (schema.type === "array") return resolve(schema.items ?? {}, defs).properties === undefined ? "values" : "rows";
  if (schema.enum !== undefined) return isFilled && isShort(schema.enum) ? "segments" : "choice";
  return FORMATS[schema.format ?? ""] ?? TYPES[schema.type ?? ""] ?? "text";
}

function isShort(choices: readonly string[]): boolean {
  return choices.length <= MAX_SEGMENTS.choices && choices.join("").length <= MAX_SEGMENTS.letters;
}
