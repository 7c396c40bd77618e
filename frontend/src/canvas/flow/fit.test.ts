import fc from "fast-check";
import { expect, test } from "vitest";
import { fitView, LEGIBLE, openView, type Rect } from "./fit";

const SCREEN = { width: 800, height: 600 };

test("shows all of a small graph in the middle, not larger than life", () => {
  expect(fitView({ x: 0, y: 0, width: 200, height: 100 }, SCREEN)).toEqual({ x: 290, y: 245, zoom: 1.1 });
});

test("fits everything, however large it is", () => {
  const large = { x: -100, y: 0, width: 6_000, height: 3_000 };

  const { x, y, zoom } = fitView(large, SCREEN);

  expect(large.x * zoom + x).toBeGreaterThanOrEqual(0);
  expect((large.x + large.width) * zoom + x).toBeLessThanOrEqual(SCREEN.width);
  expect(large.y * zoom + y).toBeGreaterThanOrEqual(0);
  expect((large.y + large.height) * zoom + y).toBeLessThanOrEqual(SCREEN.height);
});

test("opens at the start of a graph that is too wide, and at what is selected of it", () => {
  const wide = { x: -100, y: 0, width: 4_000, height: 100 };

  expect(openView(wide, null, SCREEN)).toEqual({ x: 48 + 60, y: 270, zoom: LEGIBLE });
  const selected = { x: 1_900, y: 0, width: 200, height: 64 };
  expect(openView(wide, selected, SCREEN).x).toBe(400 - 2_000 * LEGIBLE);
});

test("opens never too small to read, and shows as much as fits", () => {
  const rect = fc.record({
    x: fc.integer({ min: -9_999, max: 9_999 }),
    y: fc.integer({ min: -9_999, max: 9_999 }),
    width: fc.integer({ min: 176, max: 40_000 }),
    height: fc.integer({ min: 64, max: 40_000 }),
  });
  const inside = ({ x, y, width, height }: Rect) =>
    fc.record({
      x: fc.integer({ min: x, max: x + width - 176 }),
      y: fc.integer({ min: y, max: y + height - 64 }),
      width: fc.constant(176),
      height: fc.constant(64),
    });
  const drawn = rect.chain((all) => fc.tuple(fc.constant(all), fc.option(inside(all))));
  fc.assert(
    fc.property(drawn, ([all, chosen]) => {
      const view = openView(all, chosen, SCREEN);

      expect(view.zoom).toBeGreaterThanOrEqual(LEGIBLE);
      const shown = chosen ?? { ...all, width: 0, height: 0 };
      const left = shown.x * view.zoom + view.x;
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + shown.width * view.zoom).toBeLessThanOrEqual(SCREEN.width);
      if (all.height * LEGIBLE <= SCREEN.height) {
        expect(all.y * view.zoom + view.y).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
