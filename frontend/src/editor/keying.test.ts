import { expect, it } from "vitest";
import { rekeying } from "./keying";
import { drawing, gives, node, operator, RULES, wire } from "./samples";

const selectKey = operator("select_key", {
  inputs: [{ name: "in", takes: ["KStream"] }],
  outputs: [{ cases: [gives("KStream")] }],
  new_key_field: "key",
});
const rules = { ...RULES, operators: new Map([...RULES.operators, [selectKey.name, selectKey]]) };
const drawn = drawing([node("s", "stream"), node("out", "to")], [wire("s out")]);

it("sets a node that changes the key into the wire", () => {
  const added = rekeying(wire("s out"), "customer", drawn, rules);
  const graph = added?.edit(drawn).graph;
  const id = added?.id;

  expect(graph?.nodes.at(-1)).toMatchObject({ id, operator: "select_key", config: { key: "customer" } });
  expect(graph?.edges).toEqual([wire(`s ${id}`), wire(`${id} out`)]);
});

it("has nothing to do where the wire is gone", () => {
  expect(rekeying(wire("t out"), "customer", drawn, rules)).toBeNull();
});
