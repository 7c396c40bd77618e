import { expect, it } from "vitest";
import { describeDoubt, nameDoubtedField } from "./doubts";

const AMOUNT = {
  side: "value",
  path: "amount",
  type: "integer",
  counts: { integer: 98, string: 2 },
  odd: '"many"',
} as const;

it("says how many values each type fits, and what is taken", () => {
  expect(describeDoubt(AMOUNT)).toBe(
    '98 of 100 values are integer, 2 are string, such as `"many"`: the type is integer, and other values fail.',
  );
  expect(describeDoubt({ ...AMOUNT, type: "any" })).toContain("the type stays unknown.");
});

it("names the field as expressions do", () => {
  expect(nameDoubtedField(AMOUNT)).toBe("amount");
  expect(nameDoubtedField({ ...AMOUNT, side: "key" })).toBe("key.amount");
  expect(nameDoubtedField({ ...AMOUNT, path: "" })).toBe("the value");
});
