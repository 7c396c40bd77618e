import { expect, it } from "vitest";
import type { Point } from "../../live/history";
import { findNewest, findSpan, makeColumns, MEASURES, shortenNumber, shortenTime, TIME_STEPS } from "./series";

const point = (at: number, lag: number | null): Point => ({
  at,
  rate: 500,
  lag,
  waiting: 0,
  latency_ms: 900,
  batch_ms: null,
  memory_bytes: null,
  state_rows: 0,
  state_bytes: 0,
});

it("leaves a gap where nothing was known, and where nobody looked", () => {
  const [times, values] = makeColumns([point(0, 4), point(2_000, null), point(4_000, 6), point(60_000, 7)], "lag");

  expect(values).toEqual([4, null, 6, null, 7]);
  expect(times).toEqual([0, 2, 4, 4.001, 60]);
});

it("reaches from the first point known, five minutes at least", () => {
  expect(findSpan([10_000, 10_060])).toEqual([9_760, 10_060]);
  expect(findSpan([10_000, 12_000])).toEqual([10_000, 12_000]);
});

it("finds the newest value that is known", () => {
  expect(findNewest([1, 2, null, null])).toBe(2);
  expect(findNewest([null])).toBeNull();
});

it("says the newest value with its unit", () => {
  expect(MEASURES.map(({ say }) => say(1_234))).toEqual(["1,234/s", "1,234 records", "1.2 s", "1.2 s"]);
  expect(MEASURES[1]?.say(null)).toBe("–");
  expect(MEASURES.slice(0, 2).map(({ say }) => say(1))).toEqual(["1.0/s", "1 record"]);
});

it("writes an axis in few letters", () => {
  expect([0, 2_500, 15_000, 2_500_000].map(shortenNumber)).toEqual(["0", "2,500", "15 k", "2.5 M"]);
  expect([0, 250, 1_500, 240_000].map(shortenTime)).toEqual(["0 ms", "250 ms", "1.5 s", "4 min"]);
});

it("labels an axis of times without long fractions", () => {
  const labels = TIME_STEPS.flatMap((step) => [1, 2, 3, 4, 5, 6].map((times) => shortenTime(times * step)));

  expect(labels.filter((label) => /\.\d\d/.test(label))).toEqual([]);
});
