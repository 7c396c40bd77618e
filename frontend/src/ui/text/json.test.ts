import { expect, it } from "vitest";
import { compact, indentJson, parseMembers } from "./json";

const TEXT = '{ "id": 12345678901234567890,\n "tags": ["a, b", {}], "none": [] , "price": 1.50 }';

it("writes JSON on one line without changing a number or a text", () => {
  expect(compact(TEXT)).toBe('{"id":12345678901234567890,"tags":["a, b",{}],"none":[],"price":1.50}');
});

it("lays JSON out, a line for each member", () => {
  expect(indentJson(TEXT)).toBe(`{
  "id": 12345678901234567890,
  "tags": [
    "a, b",
    {}
  ],
  "none": [],
  "price": 1.50
}`);
});

it("agrees with JSON.stringify where that changes nothing", () => {
  const value = { text: 'say "hi": {', list: [1, [2, { a: null }]], deep: { is: true }, empty: {} };

  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(compact(JSON.stringify(value, null, 4))).toBe(JSON.stringify(value));
});

it("lays out a list in a list in a list without an indent for each", () => {
  expect(indentJson("[".repeat(8_000) + "]".repeat(8_000)).length).toBeLessThan(2_000_000);
});

it("takes an object apart without changing a number or a text", () => {
  expect([...parseMembers(TEXT)]).toEqual([
    ["id", "12345678901234567890"],
    ["tags", '["a, b",{}]'],
    ["none", "[]"],
    ["price", "1.50"],
  ]);
  expect([...parseMembers("[1]"), ...parseMembers("7"), ...parseMembers("{}"), ...parseMembers("{")]).toEqual([]);
});

it.each(["plain text", '{"cut": ', ""])("leaves what is no JSON alone: %o", (text) => {
  expect(compact(text).trim()).toBe(text.trim());
  expect(indentJson(text)).toBe(text);
});
