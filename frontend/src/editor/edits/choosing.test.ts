import { expect, it } from "vitest";
import { NODE, overlaps, STEP } from "../layout/places";
import { placeAtSelection, placeInEdge } from "./choosing";
import { findNode, makeEdgeKey, type Document } from "../document/document";
import { documentOf, edge, node, RULES } from "../samples";

const CENTRE = { x: 500, y: 300 };
const NONE: ReadonlySet<string> = new Set();
const line = documentOf(
  [node("s", "stream"), node("f", "filter", STEP.x), node("out", "to", 2 * STEP.x)],
  [edge("s f"), edge("f out")],
);

function add(operator: string, document: Document, nodes: readonly string[] = [], edges = NONE) {
  const { id, edit } = placeAtSelection(operator, { nodes: new Set(nodes), edges }, CENTRE, document, RULES);
  const drawn = edit(document);
  return { id, drawn, at: findNode(drawn, id)?.position };
}

it("adds in the middle of the view if nothing is selected, below the nodes there", () => {
  const first = add("stream", line);
  const second = add("stream", first.drawn);

  expect(first.at).toEqual({ x: CENTRE.x - NODE.width / 2, y: CENTRE.y - NODE.height / 2 });
  expect(second.at).toEqual({ x: first.at?.x, y: (first.at?.y ?? 0) + STEP.y });
});

it("adds after the selected node and joins them", () => {
  const { at, drawn } = add("filter", documentOf([node("s", "stream")]), ["s"]);

  expect(at).toEqual({ x: STEP.x, y: 0 });
  expect(drawn.graph.edges).toEqual([edge("s filter")]);
});

it("adds a further branch below the first", () => {
  const { at, drawn } = add("filter", line, ["s"]);

  expect(at).toEqual({ x: STEP.x, y: STEP.y });
  expect(drawn.graph.edges).toContainEqual(edge("s filter"));
});

it("adds behind a node without outputs too", () => {
  expect(add("stream", line, ["out"]).at).toEqual({ x: 3 * STEP.x, y: 0 });
});

it("takes the output of a split that nothing reads", () => {
  const split = { ...node("sp", "split"), config: { branches: [{ name: "big" }, { name: "small" }] } };
  const read = documentOf([split, node("f", "filter", STEP.x)], [{ ...edge("sp f"), source_port: "big" }]);

  expect(add("filter", read, ["sp"]).drawn.graph.edges).toContainEqual({ ...edge("sp filter"), source_port: "small" });
});

it("joins several selected nodes in a new one after the last of them", () => {
  const { at, drawn } = add("join", documentOf([node("a", "stream", 0, 100), node("b", "table", 64)]), ["a", "b"]);

  expect(at).toEqual({ x: 64 + STEP.x, y: 0 });
  expect(drawn.graph.edges).toEqual([edge("a join", "left"), edge("b join", "right")]);
});

it("puts a node into the selected edge, and later nodes make room", () => {
  const { at, drawn } = add("filter", line, [], new Set([makeEdgeKey(edge("s f"))]));

  expect(at).toEqual({ x: STEP.x, y: 0 });
  expect(drawn.graph.edges).toEqual([edge("f out"), edge("s filter"), edge("filter f")]);
  expect(["s", "f", "out"].map((id) => findNode(drawn, id)?.position.x)).toEqual([0, 2 * STEP.x, 3 * STEP.x]);
});

it("adds behind the source of the selected edge what does not fit into it", () => {
  const { at, drawn } = add("to", line, [], new Set([makeEdgeKey(edge("s f"))]));

  expect(at).toEqual({ x: STEP.x, y: STEP.y });
  expect(drawn.graph.edges).toEqual([...line.graph.edges, edge("s to")]);
});

it("moves nothing where there is room", () => {
  const far = documentOf([node("s", "stream"), node("out", "to", 4 * STEP.x)], [edge("s out")]);
  const drawn = placeInEdge("filter", edge("s out"), { x: 1.5 * STEP.x, y: 30 }, far, RULES)?.edit(far);

  expect(drawn?.graph.nodes.map(({ position }) => position)).toEqual([
    { x: 0, y: 0 },
    { x: 4 * STEP.x, y: 0 },
    { x: 1.5 * STEP.x, y: 30 },
  ]);
});

it("takes along what those behind would run into, and nothing else", () => {
  const [beside, before] = [node("beside", "stream", 3 * STEP.x), node("before", "stream", 0, STEP.y)];
  const crowded = documentOf([...line.graph.nodes, beside, before], line.graph.edges);
  const { drawn } = add("filter", crowded, [], new Set([makeEdgeKey(edge("f out"))]));
  const places = drawn.graph.nodes.map(({ position }) => position);

  expect(findNode(drawn, "beside")?.position).toEqual({ x: 4 * STEP.x, y: 0 });
  expect(findNode(drawn, "before")?.position).toEqual(before.position);
  expect(places.some((one, index) => places.slice(index + 1).some((other) => overlaps(one, other)))).toBe(false);
});

it("does not pull along a row that wraps back to the left", () => {
  const wrapped = documentOf([node("s", "stream", 800), node("out", "to", 0, 200)], [edge("s out")]);
  const { at, drawn } = add("filter", wrapped, [], new Set([makeEdgeKey(edge("s out"))]));

  expect(at).toEqual({ x: 800 + STEP.x, y: 0 });
  expect(findNode(drawn, "out")?.position).toEqual({ x: 0, y: 200 });
});
