import { expect, it } from "vitest";
import type { Type } from "../../api/types";
import { listFields, readField, writeField } from "./valueFields";

const ID = { name: "id", kind: "integer" };
const NAME = { name: "name", kind: "string" };
const ANY = { name: "more", kind: "any" };

it("lists the fields of a struct", () => {
  const type: Type = { kind: "struct", fields: [{ name: "id", type: { kind: "integer" } }] };

  expect([listFields(type), listFields({ kind: "any" }), listFields(undefined)]).toEqual([[ID], [], []]);
});

it("shows texts without quotes, and null as nothing", () => {
  expect([readField(NAME, '"a\\"b"'), readField(ID, "12345678901234567890"), readField(ID, undefined)]).toEqual([
    'a"b',
    "12345678901234567890",
    "",
  ]);
});

it("writes JSON of what is typed", () => {
  expect([writeField(NAME, "7"), writeField(ID, "7"), writeField(ID, ""), writeField(ANY, "x"), writeField(ANY, "[1]")])
    .toEqual(['"7"', "7", "null", '"x"', "[1]"]);
});
