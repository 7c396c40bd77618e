import { expect, it } from "vitest";
import { follow } from "./following";

const view = { x: 0, y: 0, zoom: 1, width: 800, height: 600 };

it("stays where the node is in sight", () => {
  expect(follow(view, { x: 100, y: 100 })).toBeNull();
});

it.each([
  ["right", { x: 700, y: 100 }, { x: -140, y: 0 }],
  ["left", { x: -10, y: 100 }, { x: 58, y: 0 }],
  ["below", { x: 100, y: 560 }, { x: 0, y: -72 }],
  ["above", { x: 100, y: -200 }, { x: 0, y: 248 }],
])("moves no further than it must to a node on the %s", (_, place, expected) => {
  expect(follow(view, place)).toEqual(expected);
});

it("counts in pixels of the screen at any zoom", () => {
  expect(follow({ ...view, zoom: 0.5 }, { x: 1200, y: 100 })).toBeNull();
  expect(follow({ ...view, zoom: 2 }, { x: 300, y: 100 })).toEqual({ x: -232, y: 0 });
});

it("shows the beginning of a node that is wider than the view", () => {
  expect(follow({ ...view, width: 100 }, { x: 500, y: 100 })).toEqual({ x: -452, y: 0 });
});
