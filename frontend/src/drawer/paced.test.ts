import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Paced } from "./paced";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("hands on the first at once, and a flood twice a second", () => {
  const lots: (readonly number[])[] = [];
  const paced = new Paced<number>((lot) => lots.push(lot), 500);

  for (let number = 0; number < 100; number += 1) {
    paced.push(number);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(500);

  expect(lots.map((lot) => lot.length)).toEqual([1, 49, 50]);
  expect(lots.flat()).toHaveLength(100);
});

it("is ready at once again after a quiet while", () => {
  const lots: (readonly number[])[] = [];
  const paced = new Paced<number>((lot) => lots.push(lot), 500);
  paced.push(1);
  vi.advanceTimersByTime(500);

  paced.push(2);

  expect(lots).toEqual([[1], [2]]);
});

it("hands on nothing once closed", () => {
  const lots: (readonly number[])[] = [];
  const paced = new Paced<number>((lot) => lots.push(lot), 500);
  paced.push(1);
  paced.push(2);

  paced.close();
  vi.advanceTimersByTime(2_000);

  expect(lots).toEqual([[1]]);
});
