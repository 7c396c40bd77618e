import { expect, it } from "vitest";
import { keyedBy } from "./keying";
import { drawing, gives, node, operator, RULES, wire } from "./samples";

const selectKey = operator("select_key", {
  inputs: [{ name: "in", takes: ["KStream"] }],
  outputs: [{ cases: [gives("KStream")] }],
});
const rules = { ...RULES, operators: new Map([...RULES.operators, [selectKey.name, selectKey]]) };
const drawn = drawing([node("s", "stream"), node("out", "to")], [wire("s out")]);

it("sets a node that changes the key into the wire", () => {
  const { graph } = keyedBy(drawn, wire("s out"), "customer", rules);

  expect(graph.nodes.at(-1)).toMatchObject({ operator: "select_key", config: { key: "customer" } });
  const { id } = graph.nodes.at(-1) ?? { id: "" };
  expect(graph.edges).toEqual([wire(`s ${id}`), wire(`${id} out`)]);
});

it("leaves a drawing as it is where the wire is gone", () => {
  expect(keyedBy(drawn, wire("t out"), "customer", rules)).toBe(drawn);
});
