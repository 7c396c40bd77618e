import { expect, it } from "vitest";
import { configure, move } from "../document/document";
import { findLanes } from "./lanes";
import { documentOf, edge, node, RULES } from "../samples";
import { findShapes } from "./shape";

const lanes = ({ graph }: ReturnType<typeof documentOf>) => findLanes(graph, findShapes(graph, RULES.operators));
const drawn = documentOf([node("a"), node("between", "filter", 400), node("b", "to", 800)], [edge("a b")]);

it("are found once while somebody types into a form", () => {
  const typed = configure("between", { predicate: "amount > 1" })(drawn);

  expect(lanes(typed)).toBe(lanes(drawn));
});

it("are found again where a node moves", () => {
  const moved = move(new Map([["between", { x: 400, y: 900 }]]))(drawn);

  expect([lanes(drawn).size, lanes(moved).size]).toEqual([1, 0]);
});

it("leads an edge back to the left between the nodes, apart from others", () => {
  const rows = [0, 110, 220].flatMap((y) => [node(`left${y}`, "filter", 0, y), node(`right${y}`, "filter", 480, y)]);
  const below = [node("first", "to", 0, 440), node("second", "to", 0, 550)];
  const edges = [edge("right0 first"), edge("right110 second"), edge("right110 first")];
  const drawing = documentOf([...rows, ...below], edges);
  const found = [...lanes(drawing).values()];

  // the middle of `right0` and `first` is on the nodes of the third row
  const taken = rows.map(({ position: { y } }) => [y, y + 64] as const);
  expect(found.filter((lane) => taken.some(([top, bottom]) => lane > top - 16 && lane < bottom + 16))).toEqual([]);
  expect(found).toHaveLength(3);
  expect(new Set(found.slice(0, 2)).size).toBe(2);
});
