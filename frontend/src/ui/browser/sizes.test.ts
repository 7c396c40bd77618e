import { expect, it } from "vitest";
import { findSizeAfter, limitSize, measureTo, STEP } from "./sizes";

const LIMITS = { min: 120, max: 700 };

it("stays between its limits", () => {
  expect(limitSize(10, LIMITS)).toBe(120);
  expect(limitSize(300.4, LIMITS)).toBe(300);
  expect(limitSize(990, LIMITS)).toBe(700);
});

it("moves by the keys of a separator", () => {
  expect(findSizeAfter("ArrowUp", 300, "top", LIMITS)).toBe(300 + STEP);
  expect(findSizeAfter("ArrowDown", 120, "top", LIMITS)).toBe(120);
  expect(findSizeAfter("ArrowLeft", 300, "left", LIMITS)).toBe(300 + STEP);
  expect(findSizeAfter("ArrowLeft", 300, "right", LIMITS)).toBe(300 - STEP);
  expect(findSizeAfter("End", 300, "top", LIMITS)).toBe(700);
  expect(findSizeAfter("Home", 300, "top", LIMITS)).toBe(120);
  expect(findSizeAfter("ArrowUp", 300, "left", LIMITS)).toBeNull();
});

it("goes to where its edge is dragged", () => {
  const panel = { left: 100, right: 400, bottom: 800 } as DOMRect;

  expect(measureTo({ x: 150, y: 500 }, "top", panel)).toBe(300);
  expect(measureTo({ x: 150, y: 500 }, "left", panel)).toBe(250);
  expect(measureTo({ x: 150, y: 500 }, "right", panel)).toBe(50);
});
