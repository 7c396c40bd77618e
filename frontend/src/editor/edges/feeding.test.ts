import { expect, it } from "vitest";
import { describeSource, listFeedings } from "./feeding";
import { documentOf, node, RULES, edge } from "../samples";

const split = { ...node("sp", "split"), config: { branches: [{ name: "big" }] } };
const { graph } = documentOf(
  [node("s", "stream"), node("t", "table"), split, node("j", "join"), node("m", "merge")],
  [edge("s sp"), edge("t j", "left"), edge("s m")],
);

it("tells of each input what feeds it, and what may", () => {
  const [left, right] = listFeedings("j", graph, RULES);

  expect(left).toEqual({ port: "left", edges: [edge("t j", "left")], choices: [] });
  expect(right?.choices).toEqual([edge("t j", "right")]);
});

it("offers more to a port that takes many, each output by its name", () => {
  const [into] = listFeedings("m", graph, RULES);

  expect(into?.edges).toEqual([edge("s m")]);
  expect(into?.choices.map((edge) => describeSource(edge, graph, RULES))).toEqual(["sp, big", "sp, default"]);
});
