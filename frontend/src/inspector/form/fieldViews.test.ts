import { describe, expect, it } from "vitest";
import { listFields } from "./fields";
import { collectFormValues, collectRowValues, listFieldViews, listWays } from "./fieldViews";

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
