import { expect, it } from "vitest";
import { documentOf, edge, node, RULES } from "../samples";
import { addSourceBefore } from "./adding";

const drawing = documentOf([node("orders", "table"), node("joined", "join")], [edge("orders joined", "left")]);

it("adds a node that reads a topic before an input", () => {
  const addition = addSourceBefore("joined", "right", "table", drawing, RULES);
  const { graph } = addition?.edit(drawing) ?? drawing;

  expect(graph.nodes.map(({ id }) => id)).toEqual(["orders", "joined", "table"]);
  expect(graph.edges).toEqual([edge("orders joined", "left"), edge("table joined", "right")]);
});

it("adds none that the input does not take", () => {
  expect(addSourceBefore("joined", "right", "stream", drawing, RULES)).toBeNull();
});
