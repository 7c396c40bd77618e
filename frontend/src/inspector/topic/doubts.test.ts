import { expect, it } from "vitest";
import { describeDoubt } from "./doubts";

const AMOUNT = {
  side: "value",
  path: "amount",
  type: "integer",
  counts: { integer: 98, string: 2 },
  odd: '"many"',
} as const;

it("says how many values each type fits, and what is taken", () => {
  expect(describeDoubt(AMOUNT)).toBe(
    'Of 100 values of `amount`, 98 are integer and 2 are string, such as `"many"`. ' +
      "The type is integer, and other values fail.",
  );
  expect(describeDoubt({ ...AMOUNT, type: "any" })).toContain("The type stays unknown.");
});

it("names the field as expressions do", () => {
  expect(describeDoubt({ ...AMOUNT, side: "key" })).toContain("values of `key.amount`");
  expect(describeDoubt({ ...AMOUNT, path: "" })).toContain("Of 100 values, 98");
});
