import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Lots } from "./lots";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("hands on the first at once, and a flood twice a second", () => {
  const handed: (readonly number[])[] = [];
  const lots = new Lots<number>((lot) => handed.push(lot), 500);

  for (let number = 0; number < 100; number += 1) {
    lots.push(number);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(500);

  expect(handed.map((lot) => lot.length)).toEqual([1, 49, 50]);
  expect(handed.flat()).toHaveLength(100);
});

it("is ready at once again after a quiet while", () => {
  const handed: (readonly number[])[] = [];
  const lots = new Lots<number>((lot) => handed.push(lot), 500);
  lots.push(1);
  vi.advanceTimersByTime(500);

  lots.push(2);

  expect(handed).toEqual([[1], [2]]);
});

it("hands on nothing once closed", () => {
  const handed: (readonly number[])[] = [];
  const lots = new Lots<number>((lot) => handed.push(lot), 500);
  lots.push(1);
  lots.push(2);

  lots.close();
  vi.advanceTimersByTime(2_000);

  expect(handed).toEqual([[1]]);
});
