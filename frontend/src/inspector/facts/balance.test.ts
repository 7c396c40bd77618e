import { expect, it } from "vitest";
import { NODE } from "../../live/samples";
import { describeBalance, describeReasons, withoutResult } from "./balance";

const NUMBERS = {
  ...NODE,
  in: 12,
  extra: 3,
  out: 6,
  no_result: { repeat: 1, predicate: 3 },
  dropped: 2,
  errors: 1,
  waiting: 2,
};

it("adds up the records without a result", () => {
  expect([withoutResult(NUMBERS), withoutResult(NODE)]).toEqual([4, 0]);
});

it("names the reasons, the most frequent first", () => {
  expect(describeReasons(NUMBERS.no_result)).toBe("predicate 3, repeat 1");
  expect(describeReasons({ repeat: 7 })).toBe("repeat");
  expect(describeReasons(undefined)).toBe("");
});

it("sets what came in beside what became of it", () => {
  expect(describeBalance(NUMBERS)).toBe("12 in + 3 extra = 6 out + 4 no result + 2 dropped + 1 errors + 2 waiting");
  expect(describeBalance(NODE)).toBe("100 in = 100 out");
});
