import { expect, it } from "vitest";
import { documentOf, node, RULES, edge } from "../samples";
import { findShapes } from "./shape";

const split = { ...node("s", "split"), config: { branches: [{ name: "big" }, { name: "small" }] } };
const { graph } = documentOf([node("a"), split, node("out", "to")], [{ ...edge("s out"), source_port: "gone" }]);
const shapes = findShapes(graph, RULES.operators);

it("has a port per row, evenly down the side, and room for each", () => {
  expect(shapes.get("s")?.outputs.map(({ name, at }) => [name, at])).toEqual([
    ["big", 0.2],
    ["small", 0.4],
    ["default", 0.6],
    ["gone", 0.8],
  ]);
  expect(shapes.get("s")?.height).toBe(104);
  expect(shapes.get("a")?.height).toBe(64);
});

it("shows the port that an edge still names", () => {
  expect(shapes.get("s")?.outputs.filter(({ isLost }) => isLost).map(({ name }) => name)).toEqual(["gone"]);
});

it("says the name of a port where there are several, or the config says it", () => {
  const cogroup = { ...node("c", "cogroup"), config: { inputs: [{ name: "clicks" }] } };
  const { graph } = documentOf([cogroup, node("m", "merge"), node("j", "join")]);
  const inputs = (id: string) => findShapes(graph, RULES.operators).get(id)?.inputs ?? [];

  const renameId = (id: string) => inputs(id).map(({ isNamed }) => isNamed);

  expect([renameId("c"), renameId("m"), renameId("j")]).toEqual([[true], [false], [true, true]]);
  expect(inputs("m").map(({ isMany }) => isMany)).toEqual([true]);
});
