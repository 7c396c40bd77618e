import { expect, it } from "vitest";
import { keepInside, makeClip, parseClip, paste } from "./clipboard";
import { learn } from "../document/document";
import { documentOf, node, edge, schemaOf } from "../samples";

const SCHEMA = schemaOf("integer");
const nodes = [node("a", "stream", 40, 8), node("b"), node("c")];
const drawn = learn("a", SCHEMA)(documentOf(nodes, [edge("a b"), edge("b c")]));

it("copies nodes with the edges among them, as text and back", () => {
  const clip = makeClip(drawn, new Set(["a", "b"]));

  expect(clip.edges).toEqual([edge("a b")]);
  expect(parseClip(JSON.stringify(clip))).toEqual(clip);
});

it("pastes with free names, where the pointer is, as one edit", () => {
  const { edit, ids } = paste(makeClip(drawn, new Set(["a", "b"])), { x: 100, y: 100 }, drawn.graph);

  const { graph, schemas } = edit(drawn);

  expect(ids).toEqual(["a-2", "b-2"]);
  expect(graph.edges).toContainEqual(edge("a-2 b-2"));
  expect(graph.nodes.find(({ id }) => id === "a-2")?.position).toEqual({ x: 140, y: 108 });
  expect(schemas).toEqual({ a: SCHEMA, "a-2": SCHEMA });
});

it("keeps the edges from nodes that were not copied if asked to", () => {
  const clip = makeClip(drawn, new Set(["b"]));
  const plain = paste(clip, { x: 0, y: 0 }, drawn.graph).edit(drawn).graph;
  const joined = paste(clip, { x: 0, y: 0 }, drawn.graph, true).edit(drawn).graph;
  const elsewhere = paste(clip, { x: 0, y: 0 }, documentOf([]).graph, true).edit(documentOf([])).graph;

  expect(plain.edges).toEqual(drawn.graph.edges);
  expect(joined.edges).toContainEqual(edge("a b-2"));
  expect(elsewhere.edges).toEqual([]);
});

it.each(["", "text", "null", "[]", '{"streamwright": 1}'])("takes %j for no nodes", (text) => {
  expect(parseClip(text)).toBeNull();
});

it("pastes where all of it can be seen, and from its start if it is larger than the room", () => {
  const clip = makeClip(drawn, new Set(["a", "b"])); // 232 wide and 72 high
  const room = { from: { x: 0, y: 0 }, to: { x: 800, y: 600 } };

  expect(keepInside({ x: 100, y: 50 }, clip, room)).toEqual({ x: 100, y: 50 });
  expect(keepInside({ x: 700, y: 590 }, clip, room)).toEqual({ x: 568, y: 528 });

  const narrow = { from: { x: 20, y: 0 }, to: { x: 200, y: 600 } };
  expect(keepInside({ x: 100, y: 50 }, clip, narrow)).toEqual({ x: 20, y: 50 });
});
