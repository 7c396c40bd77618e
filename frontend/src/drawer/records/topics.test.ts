import { expect, it } from "vitest";
import type { Graph } from "../../api/types";
import { listTopicsNear } from "./topics";

const node = (id: string, topic?: string) => ({
  id,
  operator: "any",
  config: topic === undefined ? {} : { topic },
  position: { x: 0, y: 0 },
});
const edge = (source: string, target: string) => ({ source, source_port: "result", target, target_port: "stream" });

const GRAPH: Graph = {
  nodes: [
    node("planes", "planes"),
    node("flights", "flights"),
    node("late", undefined),
    node("joined", undefined),
    node("out", "late-flights"),
    node("again", "flights"),
    node("new", ""),
  ],
  edges: [edge("flights", "late"), edge("late", "joined"), edge("planes", "joined"), edge("joined", "out")],
};

it("begins with the topic of the node itself", () => {
  expect(listTopicsNear(GRAPH, "out")[0]).toEqual({ topic: "late-flights", node: "out", away: 0 });
});

it("goes on with the nearest, up or down the edges", () => {
  expect(listTopicsNear(GRAPH, "late").map(({ topic, away }) => [topic, away])).toEqual([
    ["flights", 1],
    ["planes", 2],
    ["late-flights", 2],
  ]);
});

it("takes a pattern for what is known", () => {
  const graph = { nodes: [{ ...node("all"), config: { pattern: "orders-.*" } }], edges: [] };

  expect(listTopicsNear(graph, "all", ["orders-eu", "flights"]).map(({ topic }) => topic)).toEqual(["orders-eu"]);
});

it("names each topic of the graph once when nothing is selected", () => {
  expect(listTopicsNear(GRAPH, null).map(({ topic }) => topic)).toEqual(["planes", "flights", "late-flights"]);
});
