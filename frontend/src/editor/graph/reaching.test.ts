import { expect, it } from "vitest";
import { documentOf, edge, node } from "../samples";
import { findNeighbour, findReach } from "./reaching";

const { graph } = documentOf(
  [node("a", "stream", 0, 0), node("b", "filter", 200, 0), node("c", "to", 400, 0), node("d", "to", 400, 200)],
  [edge("a b"), edge("b c"), edge("b d")],
);

it("finds all nodes before and behind one", () => {
  expect([...findReach(graph, ["c"], "upstream")].toSorted()).toEqual(["a", "b", "c"]);
  expect([...findReach(graph, ["a"], "downstream")].toSorted()).toEqual(["a", "b", "c", "d"]);
  expect([...findReach(graph, ["c", "d"], "downstream")]).toEqual(["c", "d"]);
});

it("finds all nodes that edges connect to one, whichever way they run", () => {
  const apart = { ...graph, nodes: [...graph.nodes, node("e", "stream", 0, 400)] };

  expect([...findReach(apart, ["d"], "connected")].toSorted()).toEqual(["a", "b", "c", "d"]);
});

it("ends in a loop", () => {
  const loop = { ...graph, edges: [edge("a b"), edge("b a")] };

  expect([...findReach(loop, ["a"], "downstream")]).toEqual(["a", "b"]);
});

it.each([
  ["b", "left", "a"],
  ["b", "right", "c"],
  ["c", "down", "d"],
  ["d", "up", "c"],
  ["a", "left", null],
  ["a", "up", null],
] as const)("goes from %s %s to %s", (from, direction, to) => {
  expect(findNeighbour(graph, from, direction)).toBe(to);
});
