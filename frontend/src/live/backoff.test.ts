import { expect, it } from "vitest";
import { computeBackoff } from "./backoff";

it("doubles up to a quarter of a minute", () => {
  const waits = [0, 1, 2, 3, 4, 5, 9].map((attempt) => computeBackoff(attempt, () => 1));

  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
});

it("spreads each wait over the upper half", () => {
  expect(computeBackoff(1, () => 0)).toBe(500);
});
