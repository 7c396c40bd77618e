import { describe, expect, it } from "vitest";
import type { FormSchema } from "../../api/types";
import {
  collectFormValues,
  collectRowValues,
  findNeededField,
  listFields,
  listFieldViews,
  listWays,
  usesField,
} from "./fields";

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
    ["schema", { type: "string", format: "schema-text" }],
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

const fields = listFields({
  properties: {
    type: { type: "string", enum: ["tumbling", "hopping"], default: "tumbling" },
    advance_ms: { type: "integer", shown: { type: ["hopping"] } },
    grace_ms: { type: "integer", shown: { right: ["KTable"] } },
    rows: {
      type: "array",
      items: {
        properties: {
          function: { type: "string" },
          expression: { type: "string", more: { function: ["count"] } },
          n: { type: "integer", shown: { function: ["top_n"] } },
          by: { type: "integer", shown: { type: ["hopping"] } },
        },
      },
    },
  },
});
const drawn = (config: Record<string, unknown>, arriving = {}) =>
  listFieldViews(fields, config, collectFormValues(fields, config, arriving)).map(
    ({ field, isUsed }) => `${field.name}${isUsed ? "" : " unused"}`,
  );

describe("a field of a form", () => {
  it("applies by what another field holds, or falls back on", () => {
    expect(drawn({ type: "hopping" })).toContain("advance_ms");
    expect(drawn({})).not.toContain("advance_ms");
  });

  it("applies by what arrives, and not before something does", () => {
    expect(drawn({}, { right: "KTable" })).toContain("grace_ms");
    expect(drawn({})).not.toContain("grace_ms");
    expect(drawn({}, { right: "KStream" })).not.toContain("grace_ms");
  });

  it("that does not apply is drawn as unused while it holds a value", () => {
    expect(drawn({ advance_ms: 5 })).toContain("advance_ms unused");
  });
});

describe("what can be said in several ways", () => {
  const ways = listFields({
    properties: {
      functions: { type: "array", way: "Functions", shown: { grouped: ["KGroupedStream", null] } },
      init: { type: "string", way: "Init and add" },
      merge: { type: "string", way: "Init and add", shown: { grouped: ["Sessions"] } },
    },
  });
  const say = (config: Record<string, unknown>, arriving = {}, chosen: string | null = null) =>
    listFieldViews(ways, config, collectFormValues(ways, config, arriving), chosen).map(({ field }) => field.name);

  it("shows the fields of the first way, or of the chosen one", () => {
    expect(say({})).toEqual(["functions"]);
    expect(say({}, {}, "Init and add")).toEqual(["init"]);
  });

  it("shows the fields of the way that is in use", () => {
    expect(say({ init: "0" })).toEqual(["init"]);
  });

  it("is no choice where only one way applies", () => {
    expect(listWays(ways, collectFormValues(ways, {}, { grouped: "KTable" }))).toEqual([]);
    expect(say({}, { grouped: "KTable" })).toEqual(["init"]);
  });
});

it("a field of a row sees its row first, then the form", () => {
  const columns = fields.at(-1)?.columns ?? [];
  const around = collectFormValues(fields, { type: "hopping" });
  const names = (row: Record<string, unknown>) =>
    listFieldViews(columns, row, collectRowValues(columns, row, around)).map(({ field }) => field.name);

  expect(names({ function: "top_n" })).toEqual(["function", "expression", "n", "by"]);
  expect(names({ function: "sum" })).toEqual(["function", "expression", "by"]);
});

it("a field is usual or not by what its row holds", () => {
  const columns = fields.at(-1)?.columns ?? [];
  const more = (row: Record<string, unknown>) =>
    listFieldViews(columns, row, collectRowValues(columns, row, {})).flatMap(({ field, isMore }) =>
      isMore ? [field.name] : [],
    );

  expect(more({ function: "count" })).toEqual(["expression"]);
  expect(more({ function: "sum" })).toEqual([]);
});

it("knows whether the settings of a node leave a field in use", () => {
  const form: FormSchema = {
    properties: {
      type: { type: "string", enum: ["tumbling", "session"], default: "tumbling" },
      size_ms: { type: "integer", shown: { type: ["tumbling"] } },
    },
  };

  const used = [{}, { type: "tumbling" }, { type: "session" }].map((config) => usesField(form, config, "size_ms"));

  expect(used).toEqual([true, true, false]);
  expect(usesField(form, {}, "gap_ms")).toBe(false);
});

describe("the field that a node needs first", () => {
  const windows: FormSchema = {
    properties: {
      type: { title: "Type", type: "string", enum: ["tumbling", "session"], default: "tumbling" },
      size_ms: { title: "Size", type: "integer", format: "milliseconds", shown: { type: ["tumbling"] } },
      gap_ms: { title: "Gap", type: "integer", format: "milliseconds", shown: { type: ["session"] } },
      start: { title: "Start", type: "string", more: true },
    },
  };

  it("is the first that applies and has nothing in its place", () => {
    expect(findNeededField(windows, {})).toBe("size_ms");
    expect(findNeededField(windows, { type: "session" })).toBe("gap_ms");
  });

  it("is none once it is set, or if an empty field means something", () => {
    const store: FormSchema = { properties: { store: { title: "Store", type: "string", empty_means: "its name" } } };

    expect(findNeededField(windows, { size_ms: 60_000 })).toBeNull();
    expect(findNeededField(store, {})).toBeNull();
  });

  it("is the list of the first of several ways", () => {
    const rows: FormSchema = { type: "array", items: { $ref: "#/$defs/NamedExpression" }, default: [] };
    const ways: FormSchema = {
      $defs: { NamedExpression: NAMED },
      properties: { functions: { ...rows, way: "Functions" }, add: { type: "string", way: "Add" } },
    };

    expect(findNeededField(ways, {})).toBe("functions");
    expect(findNeededField(ways, { add: "1" })).toBeNull();
    expect(findNeededField({ ...ways, properties: { fields: rows } }, {})).toBeNull();
  });

  it("waits for the type of a port", () => {
    const join: FormSchema = { properties: { before_ms: { type: "integer", shown: { right: ["KStream"] } } } };

    expect(findNeededField(join, {})).toBeNull();
    expect(findNeededField(join, {}, { right: "KStream" })).toBe("before_ms");
  });
});
