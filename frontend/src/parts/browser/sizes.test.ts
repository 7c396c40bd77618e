import { expect, it } from "vitest";
import { sizeAfter, sizeTo, STEP, within } from "./sizes";

const LIMITS = { min: 120, max: 700 };

it("stays between its limits", () => {
  expect(within(10, LIMITS)).toBe(120);
  expect(within(300.4, LIMITS)).toBe(300);
  expect(within(990, LIMITS)).toBe(700);
});

it("moves by the keys of a separator", () => {
  expect(sizeAfter("ArrowUp", 300, "top", LIMITS)).toBe(300 + STEP);
  expect(sizeAfter("ArrowDown", 120, "top", LIMITS)).toBe(120);
  expect(sizeAfter("ArrowLeft", 300, "left", LIMITS)).toBe(300 + STEP);
  expect(sizeAfter("ArrowLeft", 300, "right", LIMITS)).toBe(300 - STEP);
  expect(sizeAfter("End", 300, "top", LIMITS)).toBe(700);
  expect(sizeAfter("Home", 300, "top", LIMITS)).toBe(120);
  expect(sizeAfter("ArrowUp", 300, "left", LIMITS)).toBeNull();
});

it("goes to where its edge is dragged", () => {
  const panel = { left: 100, right: 400, bottom: 800 } as DOMRect;

  expect(sizeTo({ x: 150, y: 500 }, "top", panel)).toBe(300);
  expect(sizeTo({ x: 150, y: 500 }, "left", panel)).toBe(250);
  expect(sizeTo({ x: 150, y: 500 }, "right", panel)).toBe(50);
});
