import { expect, it } from "vitest";
import type { Redrive, ShownDeadLetter, TriedDeadLetters } from "../../api/types";
import {
  chooseDeadLetters,
  countMarkedWaiting,
  describeChoice,
  describeReading,
  describeRedrive,
  describeTrial,
  groupFailures,
  makeFilter,
  NO_FILTER,
} from "./deadLetters";

const TRIED: TriedDeadLetters = {
  of: 41,
  passing: 38,
  failing: [
    { partition: 0, offset: 1, node: "a", reason: "No number." },
    { partition: 0, offset: 2, node: "b", reason: "Too long." },
    { partition: 0, offset: 3, node: "b", reason: "Too long." },
  ],
  untried: [],
};

const REDRIVE: Redrive = {
  id: 1,
  status: "running",
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the answer still has the former name
  standing: "running",
  records: 41,
  sent: 12,
  refused: [],
  rate: null,
  is_edited: false,
  problem: "",
  by: "ada",
  created_at: "",
  ended_at: null,
};

it("asks for what the filter says and for nothing else", () => {
  expect(makeFilter(NO_FILTER, 5_000)).toEqual({ search: "", group: null, is_waiting: false, since: null });
  expect(makeFilter({ search: "a b", group: "g", isWaiting: true, within: 1_000 }, 5_000)).toEqual({
    search: "a b",
    group: "g",
    is_waiting: true,
    since: 4_000,
  });
});

it("counts the marked letters that a redrive sends, without those that were sent back already", () => {
  const letter = (offset: number, mark: object | null) => ({ record: { partition: 0, offset }, mark });
  const letters = [letter(1, null), letter(2, {}), letter(3, {})] as ShownDeadLetter[];

  expect(countMarkedWaiting(new Set(["0:1", "0:2", "0:9"]), letters)).toBe(2);
});

it("means the marked letters, or all that the filter takes", () => {
  expect(chooseDeadLetters(NO_FILTER, new Set(["2:17"]), 0)).toMatchObject({ letters: [{ partition: 2, offset: 17 }] });
  expect(chooseDeadLetters({ ...NO_FILTER, group: "g" }, new Set(), 0)).toEqual({
    search: "",
    group: "g",
    is_waiting: false,
    since: null,
  });
});

it("says what was read", () => {
  const read = { letters: 1_000, offsets: 35_000, is_all: false, seconds: 0.4 };
  expect(describeReading({ has_topic: true, topic: "x", read })).toBe(
    "Read the newest 1,000 of about 35,000 dead letters of x in 0.4 s.",
  );
  expect(describeReading({ has_topic: true, topic: "x", read: { ...read, letters: 1, is_all: true } })).toBe(
    "Read the only dead letter of x in 0.4 s.",
  );
  expect(describeReading({ has_topic: true, topic: "x", read: { ...read, letters: 0, is_all: true } })).toBe(
    "x holds no dead letter.",
  );
  expect(describeReading({ has_topic: false, topic: "x", read })).toBe(
    "There is no topic x yet: no record has failed.",
  );
});

it("says what would pass, and puts together what would not", () => {
  expect(describeTrial(TRIED)).toBe("38 of 41 would pass the draft now.");
  expect(describeTrial({ ...TRIED, of: 50 })).toContain("The first 41 of 50 were tried.");
  expect(groupFailures(TRIED)).toEqual([
    { node: "b", reason: "Too long.", count: 2 },
    { node: "a", reason: "No number.", count: 1 },
  ]);
});

it("says how far a redrive is", () => {
  expect(describeRedrive(REDRIVE)).toBe("ada is sending records back: 12 of 41 records sent.");
  const refused = [{ letters: [], why: "gone" }];
  expect(describeRedrive({ ...REDRIVE, status: "done", refused })).toBe(
    "ada sent 12 of 41 records back. 1 record cannot go back.",
  );
});

it("says what the buttons act on", () => {
  expect(describeChoice(0, { matched: 10, waiting: 10 })).toBe("None chosen: the buttons act on all 10.");
  expect(describeChoice(0, { matched: 10, waiting: 6 })).toBe(
    "None chosen: the buttons act on all 10. Redrive leaves out 4 sent back already.",
  );
  expect(describeChoice(3, { matched: 10, waiting: 6 })).toBe("3 of 10 chosen");
  expect(describeChoice(0, { matched: 1, waiting: 1 })).toBe("The buttons act on this letter.");
  expect(describeChoice(0, { matched: 1, waiting: 0 })).toBe("This letter was sent back.");
});
