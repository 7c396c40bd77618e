import type { FormSchema } from "../../api/types";
import type { Config } from "../../editor/document/document";
import type { Arriving } from "../../editor/graph/ports";

/** A form as fields to draw, from the JSON Schema of an operator's config. */

/** Required values of fields or types at ports, by name. */
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
  | "schema"
  | "declared-type";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** The value of an empty field, or null if it has none. */
  readonly fallback: unknown;
  /** The meaning of an empty field in words, or "". */
  readonly whenEmpty: string;
  /** Its possible values. For text, only frequent ones. */
  readonly choices: readonly string[];
  readonly conditions: Conditions;
  /** Values of other fields with which few users set it. Null if it is usual. */
  readonly more: Conditions | null;
  /** "" if there is only one. */
  readonly way: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The fields of each row of a list. A list of plain values has one field without a name. */
  readonly columns: readonly Field[];
}

const FORMATS: Readonly<Record<string, Kind>> = {
  topic: "topic",
  expression: "expression",
  milliseconds: "duration",
  "declared-type": "declared-type",
  python: "code",
  "schema-text": "schema",
};
const TYPES: Readonly<Record<string, Kind>> = {
  boolean: "switch",
  integer: "number",
  number: "number",
};
/** Choices that need more than two lines become a drop-down list. */
const MAX_SEGMENTS = { choices: 5, letters: 44 };

/** The fields of a form, in their order on screen. */
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
  };
}

function listColumns(items: FormSchema, defs: Definitions): readonly Field[] {
  return items.properties === undefined ? [readField("", items, true, defs)] : listFields(items, defs);
}

/** The schema itself: it follows the reference, and drops the null of an optional field. */
function resolve(schema: FormSchema, defs: Definitions): FormSchema {
  if (schema.$ref !== undefined) return resolve(defs[schema.$ref.replace("#/$defs/", "")] ?? {}, defs);
  const each = (schema.anyOf ?? []).filter(({ type }) => type !== "null").map((one) => resolve(one, defs));
  const [only, ...others] = each;
  if (only === undefined) return schema;
  return others.length === 0 ? only : mergeSchemas(each);
}

/** The least strict of several schemas, with the words of the others as choices. */
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

/** The fields of a form that apply: some depend on another field's value, or on the type at a port. */

/** Known values by name: values of fields, and types at ports. */
export type Values = Readonly<Record<string, unknown>>;

/** A field to draw. One that does not apply but has a value is drawn too, so that nothing is lost. */
export interface FieldView {
  readonly field: Field;
  readonly isUsed: boolean;
  /** Few users set it here. */
  readonly isMore: boolean;
}

/** The known values for a node's fields. Ports without a type are left out. */
export function collectFormValues(fields: readonly Field[], config: Config, arriving: Arriving = {}): Values {
  return { ...collectFallbacks(fields), ...config, ...arriving };
}

/** The known values for a row's fields: its own, and those of the form around it. */
export function collectRowValues(columns: readonly Field[], row: Config, around: Values): Values {
  return { ...around, ...collectFallbacks(columns), ...row };
}

/** Whether a node has that field, and its other settings leave it in use. */
export function usesField(form: FormSchema, config: Config, name: string): boolean {
  const fields = listFields(form);
  const field = fields.find((one) => one.name === name);
  return field !== undefined && areMet(field.conditions, collectFormValues(fields, config));
}

/** The fields to draw, in order. A field that depends on a port's type waits until the port has one. */
export function listFieldViews(
  fields: readonly Field[],
  config: Config,
  values: Values,
  choice: string | null = null,
): readonly FieldView[] {
  const way = chooseWay(fields, config, values, choice);
  return fields.flatMap((field) => {
    const isUsed = areMet(field.conditions, values) && (way === null || field.way === "" || field.way === way);
    const isMore = field.more !== null && areMet(field.more, values);
    return isUsed || config[field.name] !== undefined ? [{ field, isUsed, isMore }] : [];
  });
}

/** The first usual field that is empty although nothing stands for it, so that a node can do nothing yet. */
export function findNeededField(form: FormSchema, config: Config, arriving: Arriving = {}): string | null {
  const fields = listFields(form);
  const needed = listFieldViews(fields, config, collectFormValues(fields, config, arriving)).find(
    ({ field, isMore }) => !isMore && config[field.name] === undefined && isNeeded(field),
  );
  return needed?.field.name ?? null;
}

/** One of several ways is needed even if its list may be empty. */
function isNeeded({ fallback, whenEmpty, way, kind }: Field): boolean {
  return (fallback === null && whenEmpty === "") || (way !== "" && kind === "rows");
}

/** The alternatives of the fields that apply. None if there is only one. */
export function listWays(fields: readonly Field[], values: Values): readonly string[] {
  const applying = fields.filter((field) => field.way !== "" && areMet(field.conditions, values));
  const ways = [...new Set(applying.map(({ way }) => way))];
  return ways.length > 1 ? ways : [];
}

/** The current alternative: the chosen one, else that of a field with a value, else the first. */
export function chooseWay(
  fields: readonly Field[],
  config: Config,
  values: Values,
  choice: string | null,
): string | null {
  const ways = listWays(fields, values);
  const usedWay = fields.find(({ name, way }) => way !== "" && config[name] !== undefined)?.way;
  return [choice, usedWay].find((way) => way != null && ways.includes(way)) ?? ways[0] ?? null;
}

function areMet(conditions: Conditions, facts: Values): boolean {
  return Object.entries(conditions).every(([name, values]) => values.some((value) => value === (facts[name] ?? null)));
}

function collectFallbacks(fields: readonly Field[]): Config {
  return Object.fromEntries(fields.map(({ name, fallback }) => [name, fallback]));
}
