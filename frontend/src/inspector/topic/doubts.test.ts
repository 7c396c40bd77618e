import { expect, it } from "vitest";
import { doubtedField, doubtWords } from "./doubts";

const AMOUNT = {
  side: "value",
  path: "amount",
  type: "integer",
  counts: { integer: 98, string: 2 },
  odd: '"many"',
} as const;

it("says how many values each type fits, and what is taken", () => {
  expect(doubtWords(AMOUNT)).toBe(
    '98 of 100 values are integer, 2 are string, such as `"many"`: the type is integer, and other values fail.',
  );
  expect(doubtWords({ ...AMOUNT, type: "any" })).toContain("the type stays unknown.");
});

it("names the field as expressions do", () => {
  expect(doubtedField(AMOUNT)).toBe("amount");
  expect(doubtedField({ ...AMOUNT, side: "key" })).toBe("key.amount");
  expect(doubtedField({ ...AMOUNT, path: "" })).toBe("the value");
});
