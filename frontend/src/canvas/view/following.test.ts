import { expect, it } from "vitest";
import { NODE } from "../../editor/layout/places";
import { follow, type Seen } from "./following";

const view = { x: 0, y: 0, zoom: 1 };
const seen: Seen = { room: { x: 0, y: 0, width: 800, height: 600 }, width: 800, height: 600, panels: [] };

function node(x: number, y: number) {
  return { x, y, ...NODE };
}

it("stays where the node is in sight", () => {
  expect(follow(view, node(100, 100), seen)).toBeNull();
});

it.each([
  ["right", node(700, 100), { x: -140, y: 0 }],
  ["left", node(-10, 100), { x: 58, y: 0 }],
  ["below", node(100, 560), { x: 0, y: -72 }],
  ["above", node(100, -200), { x: 0, y: 248 }],
])("moves no further than it must to a node on the %s", (_, part, expected) => {
  expect(follow(view, part, seen)).toEqual({ ...expected, zoom: 1 });
});

it("counts in pixels of the screen at any zoom", () => {
  expect(follow({ ...view, zoom: 0.5 }, node(1200, 100), seen)).toBeNull();
  expect(follow({ ...view, zoom: 2 }, node(300, 100), seen)).toEqual({ x: -232, y: 0, zoom: 2 });
});

it("shows the beginning of a node that is wider than the view", () => {
  const narrow = { ...seen, room: { ...seen.room, width: 100 }, width: 100 };

  expect(follow(view, node(500, 100), narrow)).toEqual({ x: -452, y: 0, zoom: 1 });
});

it("moves a node from under a panel, and stays beside it", () => {
  const feed = { x: 12, y: 388, width: 300, height: 200 };
  const covered = { ...seen, room: { x: 0, y: 40, width: 800, height: 340 }, panels: [feed] };

  expect(follow(view, node(100, 360), covered)).toEqual({ x: 0, y: -92, zoom: 1 });
  expect(follow(view, node(400, 500), covered)).toBeNull();
});

it("zooms out to show all that was added, but not so far that it cannot be read", () => {
  const wide = follow(view, { x: 0, y: 0, width: 1_000, height: 64 }, seen);

  expect(wide?.zoom).toBeCloseTo(0.752);
  expect(wide?.x).toBeGreaterThan(0);
  expect(follow(view, { x: 200, y: 100, width: 9_000, height: 64 }, seen)).toEqual({ x: -152, y: 0, zoom: 1 });
});
