import { expect, it } from "vitest";
import { node, RULES, edge } from "../samples";
import type { Graph } from "../../api/types";
import type { PortType } from "./ports";
import { chooseLook, listEdgeLooks } from "./edges";

function chain(...names: string[]): Graph {
  const nodes = names.map((name, index) => node(`${name}-${index}`, name));
  const edges = nodes.slice(1).map((to, index) => edge(`${nodes[index]?.id} ${to.id}`));
  return { nodes, edges };
}

it("draws what each operator gives", () => {
  const drawn = chain("stream", "group_by_key", "windowed_by", "count", "to");

  expect(listEdgeLooks(drawn, RULES.operators)).toEqual(["stream", "group", "group", "table"]);
});

it("follows an output that is like its input", () => {
  expect(listEdgeLooks(chain("table", "filter", "filter", "to"), RULES.operators)).toEqual(["table", "table", "table"]);
});

it.each<[PortType | null, string]>([
  ["GlobalKTable", "global"],
  ["KGroupedTable", "group"],
  ["CogroupedKStream", "group"],
  ["SessionWindowedCogroupedKStream", "group"],
  [null, "stream"],
])("draws %s as %s", (type, look) => {
  expect(chooseLook(type)).toBe(look);
});

it("draws a stream while the type is not known, even on a cycle", () => {
  const cycle = chain("filter", "filter");

  expect(listEdgeLooks({ ...cycle, edges: [...cycle.edges, edge("filter-1 filter-0")] }, RULES.operators)).toEqual([
    "stream",
    "stream",
  ]);
});
