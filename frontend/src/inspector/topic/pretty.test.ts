import { expect, it } from "vitest";
import { pretty } from "./pretty";

it.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ["plain", "plain"],
  [null, "null"],
])("%s", (text, shown) => {
  expect(pretty(text)).toBe(shown);
});
