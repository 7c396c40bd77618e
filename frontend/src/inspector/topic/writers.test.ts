import { expect, it } from "vitest";
import { node } from "../../editor/samples";
import { writersOf } from "./writers";

const to = (id: string, topic: string) => ({ ...node(id, "to"), config: { topic } });
const graph = { nodes: [to("a", "alerts"), to("b", "alerts"), to("c", "else"), node("d", "to")], edges: [] };

it("finds the other sinks of a topic", () => {
  expect(writersOf("alerts", graph, "a")).toEqual(["b"]);
  expect(writersOf("else", graph, "c")).toEqual([]);
  expect(writersOf("", graph, "a")).toEqual([]);
});
