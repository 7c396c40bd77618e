import { expect, it } from "vitest";
import { isJson, jsonText, jsonValue } from "./jsonText";

it("shows what a config holds, as text or as what it says", () => {
  expect(jsonText('{"type":"long"}')).toBe('{"type":"long"}');
  expect(jsonText({ type: "long" })).toBe('{\n  "type": "long"\n}');
  expect(jsonText(undefined)).toBe("");
});

it("takes a text as it is, and a value once it is JSON", () => {
  expect(jsonValue('{"a":', false, undefined)).toBe('{"a":');
  expect(jsonValue('{"a":', true, { b: 1 })).toEqual({ b: 1 });
  expect(jsonValue('{"a": 2}', true, { b: 1 })).toEqual({ a: 2 });
  expect(jsonValue("  ", true, { b: 1 })).toBeUndefined();
});

it("knows JSON", () => {
  expect([isJson('"string"'), isJson("string")]).toEqual([true, false]);
});
