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

it("walks a long topology once, not once for each node that may feed an input", () => {
  const LENGTH = 200;
  const ids = Array.from({ length: LENGTH }, (_, place) => `n${place}`);
  let reads = 0;
  const edges = ids.slice(1, -1).map((id, place) => ({
    ...edge(`${id} n${place + 2}`),
    get source() {
      reads += 1;
      return id;
    },
  }));
  const long = documentOf([node("n0", "stream"), ...ids.slice(1).map((id) => node(id, "filter"))]).graph;

  const [into] = listFeedings("n1", { ...long, edges }, RULES);

  expect(into?.choices).toEqual([edge("n0 n1")]);
  expect(reads).toBeLessThan(20 * LENGTH);
});
