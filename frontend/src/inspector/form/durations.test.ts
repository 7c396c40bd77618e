import { expect, it } from "vitest";
import { chooseUnit, formatInUnit, parseMs } from "./durations";

it.each([
  [3_600_000, "h", "1"],
  [86_400_000, "d", "1"],
  [90_000, "s", "90"],
  [1_500, "ms", "1500"],
  [0, "s", "0"],
  [undefined, "s", ""],
] as const)("shows %s ms in %s as %s", (ms, unit, shown) => {
  expect(chooseUnit(ms)).toBe(unit);
  expect(formatInUnit(ms, unit)).toBe(shown);
});

it.each([
  ["1.5", "h", 5_400_000],
  ["0", "min", 0],
  ["", "s", undefined],
  ["x", "s", undefined],
  ["0.0004", "s", 0],
] as const)("reads %s %s", (text, unit, ms) => {
  expect(parseMs(text, unit)).toBe(ms);
});
