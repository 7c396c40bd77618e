/** The words and choices of the Test cases tab. */
import type { TestCase, Verdict } from "../../api/types";
import type { WrittenCase } from "../../editor/interface/interfaceStore";
import { formatAmount, formatCount } from "../../ui/text/format";

export const WORDS: Readonly<Record<Verdict["verdict"], { readonly word: string; readonly tone: string }>> = {
  passed: { word: "Passed", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
  impossible: { word: "Not possible", tone: "warn" },
};

/** "All 3 test cases pass", "1 of 3 test cases fails: late ones". */
export function describePasses(verdicts: readonly Pick<Verdict, "verdict" | "name">[]): string {
  if (verdicts.length === 0) return "";
  const all = formatAmount(verdicts.length, "test case");
  return describeFailures(verdicts) ?? (verdicts.length > 1 ? `All ${all} pass` : "The test case passes");
}

export function countFailures(verdicts: readonly Pick<Verdict, "verdict">[]): number {
  return verdicts.filter(({ verdict }) => verdict !== "passed").length;
}

/** "2 of 3 test cases fail: late ones, sums"; null if all pass. */
export function describeFailures(verdicts: readonly Pick<Verdict, "verdict" | "name">[]): string | null {
  const failing = verdicts.filter(({ verdict }) => verdict !== "passed");
  if (failing.length === 0) return null;
  const verb = failing.length === 1 ? "fails" : "fail";
  const names = failing.map(({ name }) => name).join(", ");
  if (verdicts.length === 1) return `The test case fails: ${names}`;
  return `${formatCount(failing.length)} of ${formatAmount(verdicts.length, "test case")} ${verb}: ${names}`;
}

/** The current case: the picked one, else the first that needs a look, else the first. */
export function findCurrentCase(
  cases: readonly TestCase[],
  verdicts: ReadonlyMap<number, Pick<Verdict, "verdict">>,
  pickedId: number | null,
): TestCase | null {
  const needsALook = ({ id }: TestCase) => (verdicts.get(id)?.verdict ?? "passed") !== "passed";
  return cases.find(({ id }) => id === pickedId) ?? cases.find(needsALook) ?? cases[0] ?? null;
}

/** The edits so far, or null if they equal the case. */
export function mergeEdits(
  test: TestCase,
  before: WrittenCase | null,
  change: Partial<Pick<WrittenCase, "records" | "expected">>,
): WrittenCase | null {
  const { records, expected, revision } = before ?? test;
  const now = { records, expected, revision, ...change };
  return now.records === test.records && now.expected === test.expected ? null : now;
}
