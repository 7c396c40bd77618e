/** A form as fields to draw: what an operator's JSON Schema says of its config, in plain words. */

/** The part of JSON Schema that the catalogue's forms are written in. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export type Kind =
  | "text"
  | "number"
  | "duration"
  | "choice"
  | "switch"
  | "fixed"
  | "rows"
  | "topic"
  | "expression"
  | "declared-type";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: Kind;
  readonly required: boolean;
  /** What holds while the field is empty; null where nothing does. */
  readonly fallback: unknown;
  /** What an empty field means, in words; "" where nothing is said. */
  readonly whenEmpty: string;
  readonly choices: readonly string[];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The fields of each row of a list. */
  readonly columns: readonly Field[];
}

const FORMATS: Readonly<Record<string, Kind>> = {
  topic: "topic",
  expression: "expression",
  milliseconds: "duration",
  "declared-type": "declared-type",
};
const TYPES: Readonly<Record<string, Kind>> = {
  boolean: "switch",
  integer: "number",
  number: "number",
  array: "rows",
};
const EMPTY = /\s*Empty: ([^.]*)\./;

/** The fields of a form, in the order they are shown. */
export function fieldsOf(form: JsonSchema, defs = form.$defs ?? {}): readonly Field[] {
  const required = new Set(form.required);
  return Object.entries(form.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.has(name), defs),
  );
}

type Definitions = NonNullable<JsonSchema["$defs"]>;

function fieldOf(name: string, property: JsonSchema, required: boolean, defs: Definitions): Field {
  const schema = resolved(property, defs);
  const help = property.description ?? schema.description ?? "";
  return {
    name,
    label: labelOf(property.title ?? name),
    help: help.replace(EMPTY, "").replace(", in milliseconds", "").trim(),
    kind: kindOf(schema),
    required,
    fallback: property.default ?? null,
    whenEmpty: EMPTY.exec(help)?.[1] ?? "",
    choices: schema.enum ?? [],
    minimum: schema.minimum,
    maximum: schema.maximum,
    columns: schema.items === undefined ? [] : fieldsOf(resolved(schema.items, defs), defs),
  };
}

/** The schema itself: behind its reference, and without the null that says it may be left out. */
function resolved(schema: JsonSchema, defs: Definitions): JsonSchema {
  const named = schema.$ref === undefined ? undefined : defs[schema.$ref.replace("#/$defs/", "")];
  const inner = named ?? schema.anyOf?.find(({ type }) => type !== "null");
  return inner === undefined ? schema : resolved(inner, defs);
}

function kindOf(schema: JsonSchema): Kind {
  if (schema.const !== undefined) return "fixed";
  if (schema.enum !== undefined) return "choice";
  return FORMATS[schema.format ?? ""] ?? TYPES[schema.type ?? ""] ?? "text";
}

/** "Size Ms" is Size, "Create If Missing" is Create if missing: the unit stands beside the number. */
function labelOf(title: string): string {
  const words = title.replaceAll("_", " ").replace(/ ms$/i, "").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
