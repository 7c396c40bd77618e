import { expect, it } from "vitest";
import type { TestCase } from "../../api/types";
import { describeFailures, describePasses, findCurrentCase, mergeEdits } from "./cases";

const test = (id: number): TestCase => ({
  id,
  name: `case ${id}`,
  records: "r",
  expected: "e",
  revision: 4,
  updated_at: "2026-11-25T00:00:00Z",
  updated_by: null,
});
const passed = { verdict: "passed", name: "sums" } as const;
const failed = { verdict: "failed", name: "late ones" } as const;
const impossible = { verdict: "impossible", name: "odd" } as const;

it("says that all pass, or which fail", () => {
  expect(describePasses([passed])).toBe("The test case passes");
  expect(describePasses([passed, passed])).toBe("All 2 test cases pass");
  expect(describePasses([passed, failed, impossible])).toBe("2 of 3 test cases fail: late ones, odd");
  expect(describePasses([failed])).toBe("The test case fails: late ones");
});

it("names those that fail before a deploy, and says nothing where all pass", () => {
  expect(describeFailures([passed, failed, impossible])).toBe("2 of 3 test cases fail: late ones, odd");
  expect(describeFailures([failed])).toBe("The test case fails: late ones");
  expect(describeFailures([passed])).toBeNull();
  expect(describeFailures([])).toBeNull();
});

it("looks at the picked case, else at the first that needs a look", () => {
  const cases = [test(1), test(2), test(3)];
  const verdicts = new Map<number, typeof passed | typeof failed | typeof impossible>([
    [1, passed],
    [2, impossible],
    [3, failed],
  ]);
  expect(findCurrentCase(cases, verdicts, 3)?.id).toBe(3);
  expect(findCurrentCase(cases, verdicts, null)?.id).toBe(2);
  expect(findCurrentCase(cases, verdicts, 99)?.id).toBe(2);
  expect(findCurrentCase(cases, new Map(), null)?.id).toBe(1);
  expect(findCurrentCase([], new Map(), 1)).toBeNull();
});

it("keeps what is written on the revision it began with, until it is as it was", () => {
  const begun = mergeEdits(test(1), null, { records: "more" });
  expect(begun).toEqual({ records: "more", expected: "e", revision: 4 });

  const newer = { ...test(1), expected: "of somebody else", revision: 5 };
  expect(mergeEdits(newer, begun, { expected: "mine" })).toEqual({ records: "more", expected: "mine", revision: 4 });
  expect(mergeEdits(test(1), begun, { records: "r" })).toBeNull();
});
