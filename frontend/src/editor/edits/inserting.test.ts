import { expect, it } from "vitest";
import { makeEdgeKey } from "../document/document";
import { putIntoEdge } from "./inserting";
import { documentOf, node, RULES, edge } from "../samples";

const nodes = [node("s", "stream"), node("out", "to"), node("f"), node("g", "group_by_key")];
const drawn = documentOf(nodes, [edge("s out")]);
const key = makeEdgeKey(edge("s out"));

it("sets a node into an edge", () => {
  expect(putIntoEdge(drawn, "f", key, RULES).graph.edges).toEqual([edge("s f"), edge("f out")]);
});

it("leaves an edge where the node does not fit, and where there is none", () => {
  const no = { code: "port.type", message: "No.", hint: "" } as const;
  const refusals = new Map([...RULES.refusals, ["KGroupedStream to.in", no]]);

  expect(putIntoEdge(drawn, "g", key, { ...RULES, refusals })).toBe(drawn);
  expect(putIntoEdge(drawn, "f", null, RULES)).toBe(drawn);
});

it("goes on from the first output that fits", () => {
  const split = { ...node("sp", "split"), config: { branches: [{ name: "big" }] } };
  const { graph } = putIntoEdge({ ...drawn, graph: { ...drawn.graph, nodes: [...nodes, split] } }, "sp", key, RULES);

  expect(graph.edges).toEqual([edge("s sp"), { ...edge("sp out"), source_port: "big" }]);
});
