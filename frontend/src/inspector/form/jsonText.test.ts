import { expect, it } from "vitest";
import { formatJson, isJson, parseJson } from "./jsonText";

it("shows what a config holds, as text or as what it says", () => {
  expect(formatJson('{"type":"long"}')).toBe('{"type":"long"}');
  expect(formatJson({ type: "long" })).toBe('{\n  "type": "long"\n}');
  expect(formatJson(undefined)).toBe("");
});

it("takes a text as it is, and a value once it is JSON", () => {
  expect(parseJson('{"a":', false, undefined)).toBe('{"a":');
  expect(parseJson('{"a":', true, { b: 1 })).toEqual({ b: 1 });
  expect(parseJson('{"a": 2}', true, { b: 1 })).toEqual({ a: 2 });
  expect(parseJson("  ", true, { b: 1 })).toBeUndefined();
});

it("knows JSON", () => {
  expect([isJson('"string"'), isJson("string")]).toEqual([true, false]);
});
