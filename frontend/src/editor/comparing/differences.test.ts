import { expect, it } from "vitest";
import { findDifferences } from "./differences";
import { documentOf, node, edge } from "../samples";

const { graph } = documentOf([node("a"), node("b")], [edge("a b")]);

it("sees nothing in the same graph, wherever its nodes stand", () => {
  const moved = { ...graph, nodes: graph.nodes.map((one) => ({ ...one, position: { x: 9, y: 9 } })) };

  expect(findDifferences(moved, graph).size).toBe(0);
});

it("tells new nodes and changed ones, by their config or by what feeds them", () => {
  const drawn = {
    nodes: [{ ...node("a"), config: { predicate: "true" } }, node("b"), node("c")],
    edges: [edge("c b")],
  };

  expect([...findDifferences(drawn, graph)]).toEqual([
    ["a", "changed"],
    ["b", "changed"],
    ["c", "added"],
  ]);
});

it("does not mind the order of a config's members", () => {
  const one = { nodes: [{ ...node("a"), config: { x: 1, y: { p: 1, q: 2 } } }], edges: [] };
  const other = { nodes: [{ ...node("a"), config: { y: { q: 2, p: 1 }, x: 1 } }], edges: [] };

  expect(findDifferences(one, other).size).toBe(0);
});

it("compares a node again with each other graph", () => {
  const other = { ...graph, nodes: graph.nodes.map((one) => ({ ...one, config: { predicate: "true" } })) };

  expect(findDifferences(graph, other).size).toBe(2);
  expect(findDifferences(graph, documentOf([node("a"), node("b")], [edge("a b")]).graph).size).toBe(0);
});
