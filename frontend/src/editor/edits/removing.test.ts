import { expect, it } from "vitest";
import { removeAndRejoin } from "./removing";
import { documentOf, node, RULES, edge } from "../samples";

const NONE = new Set<string>();

it("joins the neighbours of a removed node", () => {
  const drawn = documentOf([node("s", "stream"), node("f"), node("out", "to")], [edge("s f"), edge("f out")]);

  expect(removeAndRejoin(new Set(["f"]), NONE, RULES)(drawn).graph.edges).toEqual([edge("s out")]);
});

it("joins nothing that Kafka Streams would not compile", () => {
  const nodes = [node("t", "table"), node("updates", "to_stream"), node("out", "to")];
  const drawn = documentOf(nodes, [edge("t updates"), edge("updates out")]);

  expect(removeAndRejoin(new Set(["updates"]), NONE, RULES)(drawn).graph.edges).toEqual([]);
});

it("removes a chain as it is", () => {
  const drawn = documentOf([node("s", "stream"), node("f"), node("out", "to")], [edge("s f"), edge("f out")]);

  const { graph } = removeAndRejoin(new Set(["s", "f"]), NONE, RULES)(drawn);

  expect(graph).toEqual({ nodes: [node("out", "to")], edges: [] });
});

it("joins several only where they may all feed what follows", () => {
  const nodes = [node("a", "stream"), node("b", "stream"), node("m", "merge"), node("all", "merge"), node("out", "to")];
  const drawn = documentOf(nodes, [edge("a m"), edge("b m"), edge("m all")]);
  const last = documentOf(nodes, [edge("a m"), edge("b m"), edge("m out")]);

  expect(removeAndRejoin(new Set(["m"]), NONE, RULES)(drawn).graph.edges).toEqual([edge("a all"), edge("b all")]);
  expect(removeAndRejoin(new Set(["m"]), NONE, RULES)(last).graph.edges).toEqual([]);
});
