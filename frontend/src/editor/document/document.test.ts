import { describe, expect, it } from "vitest";
import { add, configure, connect, joinEdits, learn, listAdded, move, remove, rename } from "./document";
import { documentOf, node, edge, schemaOf } from "../samples";

const SCHEMA = schemaOf("integer");
const two = documentOf([node("a"), node("b")], [edge("a b")]);

describe("an edit", () => {
  it("adds nodes and edges, each edge once", () => {
    const drawn = joinEdits(add(node("c")), connect(edge("b c"), edge("a b")))(two);

    expect(drawn.graph.nodes.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(drawn.graph.edges).toEqual([edge("a b"), edge("b c")]);
  });

  it("moves only what it names, to whole pixels", () => {
    const drawn = move(new Map([["a", { x: 10.4, y: 2.6 }]]))(two);

    expect(drawn.graph.nodes.map(({ position }) => position)).toEqual([
      { x: 10, y: 3 },
      { x: 0, y: 0 },
    ]);
    expect(drawn.graph.nodes[1]).toBe(two.graph.nodes[1]);
  });

  it("leaves out of a config what is undefined", () => {
    const drawn = configure("a", { predicate: "true", store: undefined })(two);

    expect(drawn.graph.nodes[0]?.config).toEqual({ predicate: "true" });
  });

  it("renames a node with its edges and what is known of its topic", () => {
    const drawn = rename("a", "flights")(learn("a", SCHEMA)(two));

    expect(drawn.graph.edges).toEqual([edge("flights b")]);
    expect(drawn.schemas).toEqual({ flights: SCHEMA });
  });

  it("removes a node with its edges and its schema", () => {
    const drawn = remove(new Set(["a"]), new Set())(learn("a", SCHEMA)(two));

    expect(drawn).toEqual(documentOf([node("b")]));
  });

  it("forgets a schema", () => {
    expect(learn("a", undefined)(learn("a", SCHEMA)(two)).schemas).toEqual({});
  });
});

it("lists the nodes that an edit added, but none that it renamed", () => {
  const drawn = joinEdits(rename("a", "flights"), add(node("c")), remove(new Set(["b"]), new Set()))(two);

  expect(listAdded(two.graph, drawn.graph)).toEqual(["c"]);
});
