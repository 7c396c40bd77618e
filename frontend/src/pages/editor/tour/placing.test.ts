import { expect, it } from "vitest";
import { findPlaceBeside, findWidthBeside } from "./placing";

const WINDOW = { width: 1_000, height: 600 };
const HINT = { width: 200, height: 100 };

it("stands beside what it points at", () => {
  const palette = { left: 0, top: 50, width: 180, height: 500 };

  expect(findPlaceBeside(palette, HINT, WINDOW, "right")).toEqual({ left: 192, top: 74 });
  expect(findPlaceBeside(palette, HINT, WINDOW, "inside")).toEqual({ left: 8, top: 74 });
});

it("stands above or below a button", () => {
  const button = { left: 400, top: 300, width: 100, height: 30 };

  expect(findPlaceBeside(button, HINT, WINDOW, "below")).toEqual({ left: 350, top: 342 });
  expect(findPlaceBeside(button, HINT, WINDOW, "above")).toEqual({ left: 400, top: 188 });
});

it("stays within the window", () => {
  const corner = { left: 950, top: 580, width: 40, height: 20 };

  expect(findPlaceBeside(corner, HINT, WINDOW, "below")).toEqual({ left: 792, top: 492 });
  expect(findPlaceBeside({ ...corner, left: 0 }, HINT, WINDOW, "left")).toMatchObject({ left: 8 });
});

it("is as narrow as the room before what it leaves uncovered, if that is enough for words", () => {
  const palette = { left: 0, top: 50, width: 180, height: 500 };
  const start = { left: 420, top: 100, width: 500, height: 300 };

  expect(findWidthBeside(palette, start)).toBe(216);
  expect(findWidthBeside(palette, { ...start, left: 240 })).toBeNull();
  expect(findWidthBeside(palette, null)).toBeNull();
});
