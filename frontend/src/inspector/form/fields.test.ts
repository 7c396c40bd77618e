import { describe, expect, it } from "vitest";
import type { FormSchema } from "../../api/types";
import { listFields } from "./fields";

const NAMED: FormSchema = {
  title: "NamedExpression",
  type: "object",
  required: ["name", "expression"],
  properties: {
    name: { title: "Name", type: "string" },
    expression: { title: "Expression", type: "string", format: "expression" },
  },
};

function only(property: FormSchema) {
  const [field] = listFields({ $defs: { NamedExpression: NAMED }, properties: { one_ms: property } });
  if (field === undefined) throw new Error("A form with one property has one field.");
  return field;
}

describe("the kind of a field", () => {
  it.each<[string, FormSchema]>([
    ["text", { type: "string", format: "store-name" }],
    ["number", { type: "integer" }],
    ["duration", { type: "integer", format: "milliseconds" }],
    ["choice", { type: "string", enum: ["json", "long"] }],
    ["segments", { type: "string", enum: ["tumbling", "hopping", "session"], default: "tumbling" }],
    ["choice", { type: "string", enum: ["sum", "avg", "min", "max", "count", "last"], default: "sum" }],
    ["switch", { type: "boolean" }],
    ["fixed", { type: "string", const: "tumbling" }],
    ["rows", { type: "array", items: { $ref: "#/$defs/NamedExpression" } }],
    ["values", { type: "array", items: { type: "string", format: "topic" } }],
    ["topic", { type: "string", format: "topic" }],
    ["code", { type: "string", format: "python" }],
    ["json", { type: "string", format: "avro-schema" }],
    ["expression", { type: "string", format: "expression" }],
    ["declared-type", { type: "object", format: "declared-type" }],
  ])("is %s", (kind, property) => {
    expect(only(property).kind).toBe(kind);
  });

  it("is that of what may also be null", () => {
    const field = only({ anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "null" }], default: null });

    expect(field).toMatchObject({ kind: "number", minimum: 1, maximum: 9, fallback: null });
  });
});

it("that may be a word or a text is a text, with the words to choose from", () => {
  const words: FormSchema = { type: "string", enum: ["earliest", "latest"] };

  expect(only({ anyOf: [words, { type: "string" }, { type: "null" }] })).toMatchObject({
    kind: "text",
    choices: ["earliest", "latest"],
  });
});

it("knows with what a field applies", () => {
  expect(only({ anyOf: [{ type: "integer" }, { type: "null" }], shown: { type: ["hopping"] } }).conditions).toEqual({
    type: ["hopping"],
  });
  expect(only({}).conditions).toEqual({});
});

it("makes a column of each field of a row", () => {
  const { columns } = only({ type: "array", items: { $ref: "#/$defs/NamedExpression" } });

  expect(columns.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ["name", "text", true],
    ["expression", "expression", true],
  ]);
});

it("knows which fields are required, and what holds without", () => {
  const fields = listFields({
    required: ["topic"],
    properties: { topic: { type: "string", format: "topic" }, keep: { type: "boolean", default: true } },
  });

  expect(fields.map(({ name, isRequired, fallback }) => [name, isRequired, fallback])).toEqual([
    ["topic", true, null],
    ["keep", false, true],
  ]);
});

describe("the words of a field", () => {
  it("are those of the catalogue", () => {
    expect(only({ title: "Create if missing" }).label).toBe("Create if missing");
  });

  it("say apart what an empty field means", () => {
    const { help, whenEmpty } = only({ description: "The key to look up.", empty_means: "the record's own key" });

    expect([help, whenEmpty]).toEqual(["The key to look up.", "the record's own key"]);
  });
});
