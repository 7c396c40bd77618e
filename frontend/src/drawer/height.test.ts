import { expect, it } from "vitest";
import { heightAfter, MIN_HEIGHT, STEP, within } from "./height";

const WINDOW = 1_000;

it("stays between the least height and 70 % of the window", () => {
  expect(within(10, WINDOW)).toBe(MIN_HEIGHT);
  expect(within(300.4, WINDOW)).toBe(300);
  expect(within(990, WINDOW)).toBe(700);
});

it("moves by the keys of a separator", () => {
  expect(heightAfter("ArrowUp", 300, WINDOW)).toBe(300 + STEP);
  expect(heightAfter("ArrowDown", MIN_HEIGHT, WINDOW)).toBe(MIN_HEIGHT);
  expect(heightAfter("End", 300, WINDOW)).toBe(700);
  expect(heightAfter("Home", 300, WINDOW)).toBe(MIN_HEIGHT);
  expect(heightAfter("a", 300, WINDOW)).toBeNull();
});
