import { expect, it } from "vitest";
import type { Differences } from "../../api/types";
import { countDifferences, findDifferenceKinds, nameVersion, withRemovals } from "./comparing";
import { edge, graphOfEdges, node } from "../samples";

const note = { id: "#n", kind: "note", text: "", position: { x: 0, y: 0, width: 9, height: 9 } } as const;
const graph = graphOfEdges("a c");
const differences: Differences = {
  added: [node("c")],
  removed: [node("b", "filter", 0, 0), node("far", "filter", 900, 40)],
  changed: [{ node: "a", operator: "filter", fields: [{ name: "predicate", before: "x", after: "y" }] }],
  edges_added: [edge("a c")],
  edges_removed: [edge("a b")],
  notes: [{ note: "#n", before: note, after: null }],
  text: "",
};

it("shows what went where it stood, or below where something stands there now", () => {
  const union = withRemovals({ graph, differences });

  expect(union.nodes.map(({ id, position }) => [id, position.x, position.y])).toEqual([
    ["a", 0, 0],
    ["c", 0, 0],
    ["b", 0, 96],
    ["far", 900, 40],
  ]);
  expect(union.edges).toEqual([edge("a c"), edge("a b")]);
  expect(union.notes).toEqual([note]);
});

it("knows what became of each node, note and edge", () => {
  const kinds = findDifferenceKinds(differences);

  expect(Object.fromEntries(kinds)).toEqual({
    a: "Changed",
    c: "Added",
    b: "Removed",
    far: "Removed",
    "a.out c.in": "Added",
    "a.out b.in": "Removed",
    "#n": "Removed",
  });
  expect(countDifferences(kinds)).toBe("2 added, 1 changed, 4 removed");
});

it("is the graph itself where nothing is compared", () => {
  expect(withRemovals({ graph, differences: null })).toBe(graph);
  expect(countDifferences(findDifferenceKinds(null))).toBe("no difference");
  expect([nameVersion("3", true), nameVersion("draft")]).toEqual(["Version 3", "the draft"]);
});
