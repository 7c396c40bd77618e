import { expect, it } from "vitest";
import { edgeKey } from "./document";
import { insertedInto } from "./inserting";
import { drawing, node, RULES, wire } from "./samples";

const nodes = [node("s", "stream"), node("out", "to"), node("f"), node("g", "group_by_key")];
const drawn = drawing(nodes, [wire("s out")]);
const key = edgeKey(wire("s out"));

it("sets a node into a wire", () => {
  expect(insertedInto(drawn, "f", key, RULES).graph.edges).toEqual([wire("s f"), wire("f out")]);
});

it("leaves a wire where the node does not fit, and where there is none", () => {
  const refused = new Map([...RULES.refused, ["KGroupedStream to.in", { message: "No.", hint: "" }]]);

  expect(insertedInto(drawn, "g", key, { ...RULES, refused })).toBe(drawn);
  expect(insertedInto(drawn, "f", null, RULES)).toBe(drawn);
});

it("goes on from the first output that fits", () => {
  const split = { ...node("sp", "split"), config: { branches: [{ name: "big" }] } };
  const { graph } = insertedInto({ ...drawn, graph: { ...drawn.graph, nodes: [...nodes, split] } }, "sp", key, RULES);

  expect(graph.edges).toEqual([wire("s sp"), { ...wire("sp out"), source_port: "big" }]);
});
