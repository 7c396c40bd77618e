import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rect } from "../../editor/layout/rects";
import { fitView, LEGIBLE, openView, type Chosen } from "./fit";

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
  const selected = choose(nodes, 15, []);

  expect(openView(nodes, selected, SCREEN, 0.7).zoom).toBeCloseTo(0.7, 1);
  expect(openView(nodes, selected, SCREEN, 0.2).zoom).toBe(LEGIBLE);
  expect(openView(nodes, selected, SCREEN, 3).zoom).toBeGreaterThanOrEqual(0.82);
  expect(openView(nodes, selected, SCREEN, 3).zoom).toBeLessThanOrEqual(0.9);
});

test("shows what is selected and its neighbours whole, also beside the inspector of a small window", () => {
  const nodes = row(6);
  const screen = { width: 513, height: 600 };
  for (const [selected, neighbours] of [[0, [1]], [2, [1, 3]], [4, [3, 5]], [5, [4]]] as const) {
    const { x, zoom } = openView(nodes, choose(nodes, selected, neighbours), screen, 0.59);
    const whole = nodes.flatMap((node, index) =>
      node.x * zoom + x >= 0 && (node.x + node.width) * zoom + x <= screen.width ? [index] : [],
    );

    expect(whole).toEqual(expect.arrayContaining([selected, ...neighbours]));
    expect(zoom).toBeGreaterThanOrEqual(LEGIBLE);
  }
});

test("cuts off no node beside a selection where another place or a little less zoom avoids it", () => {
  const nodes = row(9);
  fc.assert(
    fc.property(fc.integer({ min: 540, max: 900 }), fc.integer({ min: 0, max: 8 }), (width, index) => {
      const screen = { width, height: 600 };
      const chosen = choose(nodes, index, []);
      const middle = screen.width / 2 - (chosen.selection.x + chosen.selection.width / 2) * 0.7;
      const { x, zoom } = openView(nodes, chosen, screen, 0.7);

      expect(countCut(nodes, x, zoom, width)).toBeLessThanOrEqual(countCut(nodes, middle, 0.7, width));
      expect(countCut(nodes, x, zoom, width)).toBeLessThanOrEqual(1);
    }),
  );
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
      const all = [chosen, ...others];
      const { x, y, zoom } = openView(all, { selection: chosen, neighbours: others.slice(0, 2) }, SCREEN);

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

function choose(nodes: readonly Rect[], selected: number, neighbours: readonly number[]): Chosen {
  const at = (index: number) => nodes[index] ?? { x: 0, y: 0, width: 0, height: 0 };
  return { selection: at(selected), neighbours: neighbours.map(at) };
}

/** How many nodes of a row the sides of a screen cut through. */
function countCut(nodes: readonly Rect[], x: number, zoom: number, width: number): number {
  const ends = nodes.map((node) => [node.x * zoom + x, (node.x + node.width) * zoom + x] as const);
  return ends.filter(([from, to]) => (from < 0 && to > 0) || (from < width && to > width)).length;
}
