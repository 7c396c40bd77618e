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
