import { expect, it } from "vitest";
import { convertSpan } from "./span";

it.each([
  ["amout > 1", [0, 5], [0, 5]],
  ["'𝄞' || amout", [7, 12], [8, 13]],
  ["amount >", [8, 8], [7, 8]],
] as const)("of %s, %s is %s", (text, span, places) => {
  expect(convertSpan(text, span)).toEqual(places);
});
