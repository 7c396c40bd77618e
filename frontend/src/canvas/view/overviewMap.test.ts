import { expect, it } from "vitest";
import { drawBoxes, findView, frame } from "./overviewMap";

it("draws all nodes as one path", () => {
  const boxes = [
    { x: 0, y: 8, width: 192, height: 64 },
    { x: 240, y: 8, width: 192, height: 64 },
  ];

  expect(drawBoxes(boxes)).toBe("M0 8h192v64h-192zM240 8h192v64h-192z");
});

it("shows what is on the screen in the coordinates of the drawing", () => {
  expect(findView([100, -50, 0.5], 800, 600)).toEqual({ x: -200, y: 100, width: 1_600, height: 1_200 });
});

it("shows everything and the view, centred, with air around", () => {
  const shown = frame([{ x: 0, y: 0, width: 190, height: 20 }, { x: 100, y: 0, width: 280, height: 100 }]);

  expect(shown).toEqual({ x: -10, y: -100, width: 400, height: 300, scale: 2 });
});
