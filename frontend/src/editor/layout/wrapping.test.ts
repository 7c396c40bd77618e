import { expect, it } from "vitest";
import { NODE } from "./places";
import { wrap } from "./wrapping";

const STEP = 248;
const ROOM = { width: 1_200, height: 700 };
const row = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`n${at}`, { x: at * STEP, y: 0 }]));
const chain = (count: number) =>
  Array.from({ length: count - 1 }, (_, at) => ({ source: `n${at}`, target: `n${at + 1}` }));

it("leaves a layout alone that can be read in the window", () => {
  const places = row(4);

  expect(wrap(places, new Map(), chain(4), ROOM)).toBe(places);
});

it("breaks a long chain into rows of about the same length, each from the left", () => {
  const places = wrap(row(10), new Map(), chain(10), ROOM);

  expect([...places.values()].filter(({ x }) => x === 0).map(({ y }) => y)).toEqual([0, 136]);
  expect(Math.max(...[...places.values()].map(({ x }) => x)) + NODE.width).toBeLessThan(ROOM.width / 0.9);
});

it("breaks where the fewest edges cross", () => {
  const edges = [...chain(10), { source: "n3", target: "n5" }];

  const places = wrap(row(10), new Map(), edges, { ...ROOM, width: 1_500 });

  expect(["n4", "n5", "n6"].map((id) => places.get(id)?.y)).toEqual([0, 0, 136]);
});

it("keeps nodes below each other in one row, and rows apart by their heights", () => {
  const places = new Map([...row(10), ["below", { x: 0, y: 96 }] as const]);

  const wrapped = wrap(places, new Map([["below", 104]]), chain(10), ROOM);

  expect(wrapped.get("below")).toEqual({ x: 0, y: 96 });
  expect(Math.max(...[...wrapped.values()].map(({ y }) => y))).toBeGreaterThanOrEqual(96 + 104 + 64);
});
