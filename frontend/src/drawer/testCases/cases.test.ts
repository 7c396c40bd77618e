import { expect, it } from "vitest";
import type { TestCase } from "../../api/types";
import { currentCaseOf, failingWords, mergeEdits, passWords } from "./cases";

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

it("says how many pass", () => {
  expect(passWords([passed])).toBe("1 test case passes");
  expect(passWords([passed, passed])).toBe("All 2 test cases pass");
  expect(passWords([passed, failed, impossible])).toBe("1 of 3 test cases passes");
  expect(passWords([failed])).toBe("0 of 1 test case pass");
});

it("names those that do not pass before a deploy, and says nothing where all pass", () => {
  expect(failingWords([passed, failed, impossible])).toBe("2 of 3 test cases do not pass: late ones, odd");
  expect(failingWords([failed])).toBe("1 of 1 test case does not pass: late ones");
  expect(failingWords([passed])).toBeNull();
  expect(failingWords([])).toBeNull();
});

it("looks at the picked case, else at the first that needs a look", () => {
  const cases = [test(1), test(2), test(3)];
  const verdicts = new Map<number, typeof passed | typeof failed | typeof impossible>([
    [1, passed],
    [2, impossible],
    [3, failed],
  ]);
  expect(currentCaseOf(cases, verdicts, 3)?.id).toBe(3);
  expect(currentCaseOf(cases, verdicts, null)?.id).toBe(2);
  expect(currentCaseOf(cases, verdicts, 99)?.id).toBe(2);
  expect(currentCaseOf(cases, new Map(), null)?.id).toBe(1);
  expect(currentCaseOf([], new Map(), 1)).toBeNull();
});

it("keeps what is written on the revision it began with, until it is as it was", () => {
  const begun = mergeEdits(test(1), null, { records: "more" });
  expect(begun).toEqual({ records: "more", expected: "e", revision: 4 });

  const newer = { ...test(1), expected: "of somebody else", revision: 5 };
  expect(mergeEdits(newer, begun, { expected: "mine" })).toEqual({ records: "more", expected: "mine", revision: 4 });
  expect(mergeEdits(test(1), begun, { records: "r" })).toBeNull();
});
