import { expect, it } from "vitest";
import { node, RULES } from "../../editor/samples";
import { listReaders, listWriters } from "./writers";

const { operators } = RULES;
const to = (id: string, topic: string) => ({ ...node(id, "to"), config: { topic } });
const graph = { nodes: [to("a", "alerts"), to("b", "alerts"), to("c", "else"), node("d", "to")], edges: [] };

it("finds the other sinks of a topic", () => {
  expect(listWriters("alerts", graph, operators, "a")).toEqual(["b"]);
  expect(listWriters("else", graph, operators, "c")).toEqual([]);
  expect(listWriters("", graph, operators, "a")).toEqual([]);
});

it("finds the sources of a topic", () => {
  const table = { ...node("e", "table"), config: { topic: "alerts" } };
  const matching = { ...node("f", "stream"), config: { pattern: "al.*" } };
  const reading = { nodes: [...graph.nodes, table, matching, node("g", "stream")], edges: [] };

  expect(listReaders("alerts", reading, operators)).toEqual(["e", "f"]);
  expect(listReaders("else", reading, operators)).toEqual([]);
  expect(listReaders("", reading, operators)).toEqual([]);
});
