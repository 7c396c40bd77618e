import { expect, it } from "vitest";
import { layOut } from "./layered";

function graph(...chains: string[]) {
  const names = [...new Set(chains.flatMap((chain) => chain.split(" ")))];
  const edges = chains.flatMap((chain) => {
    const steps = chain.split(" ");
    return steps.slice(1).map((target, index) => ({ source: steps[index] ?? "", target }));
  });
  return { nodes: names.map((id) => ({ id })), edges };
}

it("stands a chain in one lane", () => {
  const cells = layOut(graph("a b c"));

  expect(cells.get("c")).toEqual({ column: 2, lane: 0 });
});

it("gives branches lanes of their own", () => {
  const cells = layOut(graph("a b x", "a c y"));

  expect(cells.get("b")).toEqual({ column: 1, lane: 0 });
  expect(cells.get("c")).toEqual({ column: 1, lane: 1 });
  expect(cells.get("y")).toEqual({ column: 2, lane: 1 });
});

it("stands a table beside the join it feeds", () => {
  const cells = layOut(graph("flights filter join out", "airlines join"));

  expect(cells.get("airlines")).toEqual({ column: 1, lane: 1 });
});

it("keeps the lane of a stream for what continues it, whichever was defined first", () => {
  const cells = layOut(graph("airlines join", "flights filter join out"));

  expect(cells.get("filter")).toEqual({ column: 1, lane: 0 });
  expect(cells.get("airlines")).toEqual({ column: 1, lane: 1 });
});

it("never puts two nodes into one cell, even on a cycle", () => {
  const cells = layOut(graph("a b c a", "d b"));

  const places = [...cells.values()].map(({ column, lane }) => `${column}:${lane}`);
  expect(new Set(places).size).toBe(4);
});
