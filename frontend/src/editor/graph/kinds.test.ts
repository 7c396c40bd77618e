import { expect, it } from "vitest";
import { documentOf, edge, node, RULES } from "../samples";
import { findKind, findNodeKind, findOperatorKind } from "./kinds";

const { operators } = RULES;
const { graph } = documentOf(
  [node("orders", "stream"), node("kept", "filter"), node("out", "to")],
  [edge("orders kept"), edge("kept out")],
);
const kinds = (of = graph) => of.nodes.map((one) => findNodeKind(one, of, operators));

it("gives a node the kind of its first output, which may depend on what arrives", () => {
  expect(kinds()).toEqual(["stream", "stream", "end"]);
  expect(kinds({ ...graph, edges: [] })).toEqual(["stream", "open", "end"]);
});

it("gives an operator a kind only if it does not depend on what arrives", () => {
  expect(["stream", "filter", "to"].map((name) => findOperatorKind(operators.get(name)))).toEqual([
    "stream",
    "open",
    "end",
  ]);
});

it("has one kind for all that only an aggregation reads", () => {
  expect(findKind("KGroupedStream")).toBe(findKind("TimeWindowedKStream"));
});
