import { describe, expect, it } from "vitest";
import type { Field } from "./fields";
import { findValue, listPaths, move, withValue } from "./paths";

const CONFIG = { keep: true, fields: [{ name: "a", expression: "1" }, { name: "b" }] };
const field = (name: string, columns: readonly Field[] = [], rest: Partial<Field> = {}) =>
  ({ name, columns, conditions: {}, more: null, fallback: null, ...rest }) as Field;

describe("findValue", () => {
  it.each([
    ["keep", true],
    ["fields.0.expression", "1"],
    ["fields.1.expression", undefined],
    ["fields.7.expression", undefined],
    ["store", undefined],
  ])("%s", (path, value) => {
    expect(findValue(CONFIG, path)).toEqual(value);
  });
});

describe("withValue", () => {
  it("puts a value at the end of a path and leaves the rest", () => {
    const changed = withValue(CONFIG, "fields.1.expression", "2");

    expect(changed).toEqual({ keep: true, fields: [CONFIG.fields[0], { name: "b", expression: "2" }] });
    expect(findValue(changed, "fields.0")).toBe(CONFIG.fields[0]);
    expect(CONFIG.fields[1]).toEqual({ name: "b" });
  });

  it("takes out what is undefined, also in a row", () => {
    expect(withValue(CONFIG, "keep", undefined)).toEqual({ fields: CONFIG.fields });
    expect(withValue(CONFIG, "fields.0.name", undefined).fields).toEqual([{ expression: "1" }, { name: "b" }]);
  });
});

describe("listPaths", () => {
  it("names every field and every cell", () => {
    const fields = [field("keep"), field("fields", [field("name"), field("expression")])];

    expect(listPaths(fields, CONFIG, CONFIG)).toEqual([
      "keep",
      "fields",
      "fields.0.name",
      "fields.0.expression",
      "fields.1.name",
      "fields.1.expression",
    ]);
  });

  it("leaves out what does not apply, and counts the values of a list", () => {
    const topics = field("topics", [field("")], { kind: "values" });
    const config = { topics: ["a", "b"], type: "tumbling" };

    expect(listPaths([topics, field("gap", [], { conditions: { type: ["session"] } })], config, config)).toEqual([
      "topics",
      "topics.0",
      "topics.1",
    ]);
  });
});

it("moves a row, and not beyond the ends", () => {
  const rows = [{ name: "a" }, { name: "b" }];

  expect(move(rows, 1, -1)).toEqual([{ name: "b" }, { name: "a" }]);
  expect(move(rows, 0, -1)).toBe(rows);
  expect(move(rows, 1, 1)).toBe(rows);
});
