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

test("opens with everything where that is legible", () => {
  const all = { x: 0, y: 0, width: 4 * 240 + 192, height: 64 };

  expect(openView(row(5), null, SCREEN)).toEqual(fitView(all, SCREEN));
});

test("opens at the start of a graph that is too wide, readable, with no node cut off", () => {
  fc.assert(
    fc.property(fc.integer({ min: 512, max: 2_600 }), fc.integer({ min: 24, max: 60 }), (width, length) => {
      const { x, zoom } = openView(row(length), null, { width, height: 600 });
      const ends = row(length).map((node) => [node.x * zoom + x, (node.x + node.width) * zoom + x] as const);

      expect(x).toBe(48);
      expect(zoom).toBeGreaterThanOrEqual(0.75);
      expect(ends.filter(([from, to]) => from < width && to > width - 16)).toEqual([]);
    }),
  );
});

test("keeps the zoom around what is selected, between legible and readable", () => {
  const nodes = row(30);
  const selected = nodes[15] ?? null;

  expect(openView(nodes, selected, SCREEN, 0.7)).toMatchObject({ x: 400 - (15 * 240 + 96) * 0.7, zoom: 0.7 });
  expect(openView(nodes, selected, SCREEN, 0.2).zoom).toBe(LEGIBLE);
  expect(openView(nodes, selected, SCREEN, 3).zoom).toBe(0.9);
});

test("shows the selection whole, wherever it is", () => {
  const place = fc.record({
    x: fc.integer({ min: -9_999, max: 9_999 }),
    y: fc.integer({ min: -9_999, max: 9_999 }),
    width: fc.constant(192),
    height: fc.constant(64),
  });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 40 }), ([chosen, ...others]) => {
      if (chosen === undefined) return;
      const { x, y, zoom } = openView([chosen, ...others], chosen, SCREEN);

      expect(zoom).toBeGreaterThanOrEqual(LEGIBLE);
      expect(chosen.x * zoom + x).toBeGreaterThanOrEqual(0);
      expect((chosen.x + chosen.width) * zoom + x).toBeLessThanOrEqual(SCREEN.width);
      expect(chosen.y * zoom + y).toBeGreaterThanOrEqual(0);
      expect((chosen.y + chosen.height) * zoom + y).toBeLessThanOrEqual(SCREEN.height);
    }),
  );
});

/** Nodes in a row, as far from each other as Tidy puts them. */
function row(length: number): Rect[] {
  return Array.from({ length }, (_, index) => ({ x: index * 240, y: 0, width: 192, height: 64 }));
}
