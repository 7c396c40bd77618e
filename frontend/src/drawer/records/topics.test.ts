import { expect, it } from "vitest";
import type { Graph } from "../../api/types";
import { describeOwner, listTopicsNear } from "./topics";

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

it("says whose topic is shown, and claims of no node with a topic that it has none", () => {
  const [own, ...others] = listTopicsNear(GRAPH, "out");
  const [nearest] = listTopicsNear(GRAPH, "late");
  const other = others.find(({ node }) => node === "planes");
  if (own === undefined || nearest === undefined || other === undefined) throw new Error("the graph has topics");

  expect(describeOwner(own, "out", own)).toBe("of out");
  expect(describeOwner(other, "out", own)).toBe("of planes");
  expect(describeOwner(nearest, "late", nearest)).toBe("late has no topic; flights is 1 edge away");
});
