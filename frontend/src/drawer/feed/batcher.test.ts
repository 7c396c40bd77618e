import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batcher } from "./batcher";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("hands on the first at once, and a flood twice a second", () => {
  const handed: (readonly number[])[] = [];
  const batcher = new Batcher<number>((batch) => handed.push(batch), 500);

  for (let number = 0; number < 100; number += 1) {
    batcher.push(number);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(500);

  expect(handed.map((batch) => batch.length)).toEqual([1, 49, 50]);
  expect(handed.flat()).toHaveLength(100);
});

it("is ready at once again after a quiet while", () => {
  const handed: (readonly number[])[] = [];
  const batcher = new Batcher<number>((batch) => handed.push(batch), 500);
  batcher.push(1);
  vi.advanceTimersByTime(500);

  batcher.push(2);

  expect(handed).toEqual([[1], [2]]);
});

it("hands on nothing once closed", () => {
  const handed: (readonly number[])[] = [];
  const batcher = new Batcher<number>((batch) => handed.push(batch), 500);
  batcher.push(1);
  batcher.push(2);

  batcher.close();
  vi.advanceTimersByTime(2_000);

  expect(handed).toEqual([[1]]);
});
