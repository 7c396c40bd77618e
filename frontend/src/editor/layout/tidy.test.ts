import Elk from "elkjs/lib/elk.bundled.js";
import { expect, it } from "vitest";
import { findShapes } from "./shape";
import { documentOf, node, RULES, edge } from "../samples";
import { makeQuestion } from "./tidy";

it("places the neighbours of a node in the order of its ports, to its right", async () => {
  const branches = [{ name: "first" }, { name: "second" }];
  const split = { ...node("split", "split"), config: { branches } };
  const nodes = [node("in", "stream"), split, node("c", "to"), node("b", "to"), node("a", "to")];
  const from = (port: string, target: string) => ({ ...edge(`split ${target}`), source_port: port });
  const edges = [edge("in split"), from("first", "a"), from("second", "b"), from("default", "c")];
  const { graph } = documentOf(nodes, edges);

  const { children = [] } = await new Elk().layout(makeQuestion(graph, findShapes(graph, RULES.operators)));

  const at = new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  const sinks = ["a", "b", "c"].map((id) => at.get(id)?.y ?? 0);
  expect(sinks).toEqual([...sinks].sort((one, other) => one - other));
  expect(at.get("a")?.x).toBeGreaterThan(at.get("split")?.x ?? 0);
});

it("places a table above the stream that it is joined with, where its port is", async () => {
  const nodes = [node("orders", "stream"), node("customers", "table"), node("join", "join")];
  const { graph } = documentOf(nodes, [edge("orders join", "left"), edge("customers join", "right")]);
  const shapes = findShapes(graph, RULES.operators);

  const { children = [] } = await new Elk().layout(makeQuestion(graph, shapes));

  const top = (id: string) => children.find((child) => child.id === id)?.y ?? 0;
  expect(shapes.get("join")?.inputs.map(({ name }) => name)).toEqual(["right", "left"]);
  expect(top("customers")).toBeLessThan(top("orders"));
});
