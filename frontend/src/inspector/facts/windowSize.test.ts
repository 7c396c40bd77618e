import { expect, it } from "vitest";
import { suggestSize } from "./windowSize";

const every = (ms: number) => Array.from({ length: 100 }, (_, index) => 1e12 + index * ms);

it("suggests a usual size with some twenty records", () => {
  expect(suggestSize(every(100))).toEqual({ size_ms: 5_000, records: 50 });
  expect(suggestSize(every(60_000))).toEqual({ size_ms: 1_800_000, records: 30 });
});

it("does not need the times in order", () => {
  expect(suggestSize(every(100).reverse())).toEqual(suggestSize(every(100)));
});

it("suggests nothing for too few times, or for a single one", () => {
  expect([suggestSize([]), suggestSize([1, 2]), suggestSize([5, 5, 5, 5])]).toEqual([null, null, null]);
});

it("suggests a week for rare records", () => {
  expect(suggestSize(every(86_400_000 * 30))).toEqual({ size_ms: 604_800_000, records: 1 });
});
