import { expect, it } from "vitest";
import { addKeyNode } from "./keying";
import { documentOf, gives, node, operator, RULES, edge } from "../samples";

const selectKey = operator("select_key", {
  inputs: [{ name: "in", takes: ["KStream"] }],
  outputs: [{ cases: [gives("KStream")] }],
  new_key_field: "key",
});
const rules = { ...RULES, operators: new Map([...RULES.operators, [selectKey.name, selectKey]]) };
const drawn = documentOf([node("s", "stream"), node("out", "to")], [edge("s out")]);

it("sets a node that changes the key into the edge", () => {
  const added = addKeyNode(edge("s out"), "customer", drawn, rules);
  const graph = added?.edit(drawn).graph;
  const id = added?.id;

  expect(graph?.nodes.at(-1)).toMatchObject({ id, operator: "select_key", config: { key: "customer" } });
  expect(graph?.edges).toEqual([edge(`s ${id}`), edge(`${id} out`)]);
});

it("has nothing to do where the edge is gone", () => {
  expect(addKeyNode(edge("t out"), "customer", drawn, rules)).toBeNull();
});
