import { expect, it } from "vitest";
import type { Graph, GraphNote } from "../../api/types";
import { move, remove, rename } from "../document/document";
import {
  addNote,
  findAreaAround,
  findContents,
  makeFrameAround,
  makeNote,
  moveClear,
  moveWithContents,
  placeNote,
  setColour,
} from "./notes";
import { findTitle, withContents, writeNote } from "./notes";
import { fitFrames } from "./refitting";
import { documentOf, node } from "../samples";

const frame: GraphNote = { id: "#f", kind: "frame", text: "Late", position: { x: 0, y: 0, width: 400, height: 300 } };
const inside: GraphNote = { id: "#n", kind: "note", text: "", position: { x: 8, y: 200, width: 100, height: 50 } };
const outside: GraphNote = { id: "#o", kind: "note", text: "", position: { x: 350, y: 8, width: 100, height: 50 } };
const graph: Graph = {
  nodes: [node("a", "filter", 40, 48), node("b", "filter", 390, 48)],
  edges: [],
  notes: [frame, inside, outside],
};

it("holds nodes whose middle is in the frame, and whole notes", () => {
  expect([...findContents(frame, graph)]).toEqual(["a", "#n"]);
});

it("takes along what a frame holds, each once", () => {
  const to = moveWithContents(new Map([["#f", { x: 10, y: 20 }], ["a", { x: 50, y: 68 }]]), graph);

  expect(Object.fromEntries(to)).toEqual({ "#f": { x: 10, y: 20 }, a: { x: 50, y: 68 }, "#n": { x: 18, y: 220 } });
});

it("changes nothing where no frame moves", () => {
  const places = new Map([["a", { x: 1, y: 1 }]]);
  expect(moveWithContents(places, graph)).toBe(places);
});

it("copies with a frame what it holds", () => {
  expect([...withContents(new Set(["#f"]), graph)]).toEqual(["#f", "a", "#n"]);
});

it("frames what is selected with room for a title", () => {
  const drawn = makeFrameAround(new Set(["a", "b", "gone"]), graph);

  expect(drawn?.position).toEqual({ x: 16, y: 0, width: 590, height: 136 });
  expect(drawn && [...findContents(drawn, { ...graph, notes: [] })]).toEqual(["a", "b"]);
  expect(findAreaAround(new Set(["#n"]), graph)).toEqual({ x: -16, y: 152, width: 148, height: 122 });
});

it("draws no frame around what is gone", () => {
  expect(makeFrameAround(new Set(["gone"]), graph)).toBeNull();
});

it("moves, writes, colours and removes notes as nodes", () => {
  const drawn = { graph, schemas: {} };

  const moved = move(new Map([["#n", { x: 1.4, y: 2 }]]))(drawn);
  expect(moved.graph.notes?.[1]?.position).toEqual({ x: 1, y: 2, width: 100, height: 50 });
  const area = { x: 0.2, y: 0, width: 9.6, height: 5 };
  expect(placeNote("#n", area)(drawn).graph.notes?.[1]?.position).toEqual({ x: 0, y: 0, width: 10, height: 5 });
  expect(writeNote("#n", "Hello")(drawn).graph.notes?.[1]?.text).toBe("Hello");
  const red = setColour(new Set(["a", "#n"]), "red")(drawn).graph;
  expect([red.nodes[0]?.colour, red.nodes[1]?.colour, red.notes?.[1]?.colour]).toEqual(["red", undefined, "red"]);
  expect(setColour(new Set(["a", "#n"]), null)({ graph: red, schemas: {} }).graph).toEqual(graph);
  const without = remove(new Set(["#f", "#n", "#o"]), new Set())(drawn).graph;
  expect(without).toEqual({ nodes: graph.nodes, edges: [] });
  expect(rename("a", "c")(drawn).graph.notes).toBe(graph.notes);
});

it("gives each new note an id of its own", () => {
  const [one, other] = [makeNote({ x: 0.6, y: 0 }), makeNote({ x: 0, y: 0 })];
  expect(one.id).toMatch(/^#[0-9a-f]{12}$/);
  expect(one.id).not.toBe(other.id);
  expect(addNote(one)(documentOf([])).graph.notes).toEqual([one]);
});

it("keeps frames around their nodes and notes off nodes when these are laid out anew", () => {
  const tidied = { graph: { ...graph, nodes: [node("a", "filter", 0, 200), node("b")] }, schemas: {} };

  const notes = Object.fromEntries(fitFrames(tidied, graph).graph.notes?.map((one) => [one.id, one.position]) ?? []);

  expect(notes["#f"]).toEqual({ x: -24, y: 152, width: 240, height: 136 });
  expect(notes["#n"]).toEqual({ x: 0, y: -74, width: 100, height: 50 });
  expect(notes["#o"]).toEqual(outside.position);
});

it("puts a new note below nodes that it would cover", () => {
  const nodes = [node("a", "filter", 0, 0), node("b", "filter", 100, 120), node("c", "filter", 900, 0)];
  const covering = { ...outside, position: { x: 20, y: 10, width: 200, height: 60 } };

  expect(moveClear(nodes, covering).position).toEqual({ x: 20, y: 208, width: 200, height: 60 });
  expect(moveClear(nodes.slice(2), covering)).toBe(covering);
});

it("is called by its first line", () => {
  expect(findTitle({ kind: "note", text: "\n## Orders\nof today" })).toBe("Note: Orders");
  expect(findTitle({ kind: "frame", text: " " })).toBe("Frame");
});
