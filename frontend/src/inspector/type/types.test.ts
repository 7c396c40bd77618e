import { describe, expect, it } from "vitest";
import { addMember, describeType, listMembers, ofKind, withMember, withoutMember, type Type } from "./types";

const NAME = { name: "name", type: { kind: "string" } } as const;
const STRUCT: Type = { kind: "struct", fields: [NAME] };

const UNION: Type = {
  kind: "union",
  fields: [
    { name: "int", type: { kind: "integer" } },
    { name: "shop.Order", type: STRUCT },
  ],
};

describe("describeType", () => {
  it.each<[string, Type]>([
    ["integer", { kind: "integer" }],
    ["decimal(12,3)", { kind: "decimal", precision: 12, scale: 3 }],
    ["unknown", { kind: "any" }],
    ["list of string", { kind: "list", item: { kind: "string" } }],
    ["list", { kind: "list" }],
    ["map of list of string", { kind: "map", item: { kind: "list", item: { kind: "string" } } }],
    ["integer (timestamp-micros)", { kind: "integer", logical: "timestamp-micros" }],
    ["union of int, shop.Order", UNION],
    ["struct of 1 field", STRUCT],
    ["struct of 0 fields", { kind: "struct" }],
    ["list of struct of 1 field", { kind: "list", item: STRUCT }],
  ])("%s", (words, type) => {
    expect(describeType(type)).toBe(words);
  });
});

it("shows the types of a union below it", () => {
  expect(listMembers(UNION).map(({ name }) => name)).toEqual(["int", "shop.Order"]);
});

it("looks through lists and maps for the fields of their items", () => {
  expect(listMembers({ kind: "map", item: STRUCT })).toEqual([NAME]);
  expect(listMembers({ kind: "list", item: STRUCT })).toEqual([NAME]);
  expect(listMembers({ kind: "string" })).toEqual([]);
});

it("gives a type of another kind what that kind needs", () => {
  expect(ofKind("struct", { kind: "string" })).toEqual({ kind: "struct", fields: [] });
  expect(ofKind("map", { kind: "list", item: NAME.type })).toEqual({ kind: "map", item: NAME.type });
  expect(ofKind("list", STRUCT)).toEqual({ kind: "list", item: { kind: "string" } });
  expect(ofKind("string", STRUCT)).toEqual({ kind: "string" });
  expect(ofKind("decimal", STRUCT)).toEqual({ kind: "decimal", precision: 10, scale: 2 });
});

it("adds, changes and removes the fields of a struct", () => {
  const two = addMember(STRUCT);
  const named = withMember(two, 1, { name: "age", type: { kind: "integer" } });

  expect(two.fields).toHaveLength(2);
  expect(named.fields?.[1]).toEqual({ name: "age", type: { kind: "integer" } });
  expect(withoutMember(named, 0).fields).toEqual([{ name: "age", type: { kind: "integer" } }]);
});
