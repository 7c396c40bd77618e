import { expect, it } from "vitest";
import { compact, membersOf, pretty } from "./json";

const TEXT = '{ "id": 12345678901234567890,\n "tags": ["a, b", {}], "none": [] , "price": 1.50 }';

it("writes JSON on one line without changing a number or a text", () => {
  expect(compact(TEXT)).toBe('{"id":12345678901234567890,"tags":["a, b",{}],"none":[],"price":1.50}');
});

it("lays JSON out, a line for each member", () => {
  expect(pretty(TEXT)).toBe(`{
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

  expect(pretty(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(compact(JSON.stringify(value, null, 4))).toBe(JSON.stringify(value));
});

it("takes an object apart without changing a number or a text", () => {
  expect([...membersOf(TEXT)]).toEqual([
    ["id", "12345678901234567890"],
    ["tags", '["a, b",{}]'],
    ["none", "[]"],
    ["price", "1.50"],
  ]);
  expect([...membersOf("[1]"), ...membersOf("7"), ...membersOf("{}"), ...membersOf("{")]).toEqual([]);
});

it.each(["plain text", '{"cut": ', ""])("leaves what is no JSON alone: %o", (text) => {
  expect(compact(text).trim()).toBe(text.trim());
  expect(pretty(text)).toBe(text);
});
