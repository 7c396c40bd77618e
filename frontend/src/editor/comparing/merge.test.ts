import { describe, expect, it } from "vitest";
import type { Graph, GraphEdge, GraphNode } from "../../api/types";
import { merge as mergedBy, mergeDocuments } from "./merge";
import { compareWithBase, describeClash, describeSide } from "./mergeSides";
import { RULES, schemaOf } from "../samples";

const node = (id: string, config: GraphNode["config"] = {}, x = 0): GraphNode => ({
  id,
  operator: "filter",
  config,
  position: { x, y: 0 },
});
const edge = (source: string, target: string): GraphEdge => ({
  source,
  source_port: "result",
  target,
  target_port: "records",
});
const graph = (nodes: GraphNode[], edges: GraphEdge[] = []): Graph => ({ nodes, edges });

const merged = (was: Graph | null, mine: Graph, theirs: Graph) => mergedBy(was, mine, theirs, RULES.operators);

const base = graph([node("a", { predicate: "x > 1" }), node("b")], [edge("a", "b")]);

describe("merging two graphs that began as one", () => {
  it("takes what either side added, with its edges", () => {
    const mine = graph([...base.nodes, node("mine")], [...base.edges, edge("b", "mine")]);
    const theirs = graph([...base.nodes, node("theirs")], [...base.edges, edge("b", "theirs")]);

    const { graph: both, clashes } = merged(base, mine, theirs);

    expect(both.nodes.map(({ id }) => id)).toEqual(["a", "b", "mine", "theirs"]);
    expect(both.edges).toEqual([edge("a", "b"), edge("b", "mine"), edge("b", "theirs")]);
    expect(clashes).toEqual([]);
  });

  it("joins changes of different fields of one node", () => {
    const mine = graph([node("a", { predicate: "x > 2" }), node("b")], [...base.edges]);
    const theirs = graph([node("a", { predicate: "x > 1", store: "kept" }, 300), node("b")], [...base.edges]);

    const { graph: both, clashes } = merged(base, mine, theirs);

    expect(both.nodes[0]).toEqual(node("a", { predicate: "x > 2", store: "kept" }, 300));
    expect(clashes).toEqual([]);
  });

  it("lists a field that both changed, and keeps mine", () => {
    const mine = graph([node("a", { predicate: "x > 2" }), node("b")]);
    const theirs = graph([node("a", { predicate: "x > 3" }), node("b")]);

    const { graph: both, clashes } = merged(base, mine, theirs);

    expect(both.nodes[0]?.config).toEqual({ predicate: "x > 2" });
    expect(clashes).toEqual([{ node: "a", field: "predicate", mine: "x > 2", theirs: "x > 3" }]);
    expect(clashes.map(describeClash)).toEqual(["`a`: predicate is yours, `x > 2`; theirs is `x > 3`."]);
  });

  it("lists nothing where both changed the same to the same", () => {
    const both = graph([node("a", { predicate: "x > 2" }), node("b")], [...base.edges]);

    expect(merged(base, both, structuredClone(both))).toEqual({ graph: both, clashes: [] });
  });

  it("empties a field that one side emptied", () => {
    const mine = graph([node("a"), node("b")], [...base.edges]);

    expect(merged(base, mine, base).graph.nodes[0]?.config).toEqual({});
  });

  it("removes what one side removed and the other left alone, with its edges", () => {
    const mine = graph([node("a", { predicate: "x > 1" })]);
    const theirs = graph([node("a", { predicate: "x > 1" }), node("b", {}, 500)], [...base.edges]);

    const { graph: both, clashes } = merged(base, mine, theirs);

    expect(both).toEqual(graph([node("a", { predicate: "x > 1" })]));
    expect(clashes).toEqual([]);
  });

  it("keeps what one side removed and the other changed, with its edges, and lists it", () => {
    const mine = graph([node("a", { predicate: "x > 1" })]);
    const theirs = graph([node("a", { predicate: "x > 1" }), node("b", { predicate: "y" })], [...base.edges]);

    const { graph: both, clashes } = merged(base, mine, theirs);

    expect(both).toEqual(theirs);
    expect(clashes).toEqual([{ node: "b", remover: "me" }]);
    expect(merged(base, theirs, mine).clashes).toEqual([{ node: "b", remover: "them" }]);
  });

  it("takes an edge away that one side took away", () => {
    expect(merged(base, graph([...base.nodes]), base).graph.edges).toEqual([]);
  });

  it("feeds a port once: with my edge, listing theirs", () => {
    const began = graph([node("a"), node("b"), node("c")]);
    const mine = graph(began.nodes.slice(), [edge("a", "c")]);
    const theirs = graph(began.nodes.slice(), [edge("b", "c")]);

    const { graph: both, clashes } = merged(began, mine, theirs);

    expect(both.edges).toEqual([edge("a", "c")]);
    expect(clashes).toEqual([{ node: "c", field: "records", mine: "a", theirs: "b" }]);
  });

  it("keeps the edges of both into a port that takes many", () => {
    const all = [node("a"), node("b"), { ...node("m"), operator: "merge" }];
    const into = (source: string) => ({ ...edge(source, "m"), target_port: "in" });

    const { graph: both, clashes } = merged(graph(all), graph(all, [into("a")]), graph(all, [into("b")]));

    expect(both.edges).toEqual([into("a"), into("b")]);
    expect(clashes).toEqual([]);
  });

  it("does not mix two nodes that share only their name", () => {
    const other: GraphNode = { ...node("new", { key: "x" }), operator: "select_key" };

    const { graph: both, clashes } = merged(graph([]), graph([node("new", { predicate: "y" })]), graph([other]));

    expect(both.nodes).toEqual([node("new", { predicate: "y" })]);
    expect(clashes).toEqual([{ node: "new", field: "operator", mine: "filter", theirs: "select_key" }]);
  });

  it("loses nothing when what both began with is not known any more", () => {
    const mine = graph([node("a", { predicate: "x > 2" }), node("mine")]);

    const { graph: both, clashes } = merged(null, mine, base);

    expect(both.nodes.map(({ id }) => id)).toEqual(["a", "mine", "b"]);
    expect(clashes).toHaveLength(1);
  });

  it("keeps the schema of the topic that the merged source reads", () => {
    const [one, two] = [schemaOf("integer"), schemaOf("string")];
    const mine = { graph: graph([node("a", { topic: "one" })]), schemas: { a: one, gone: one } };
    const theirs = { graph: graph([node("a", { topic: "two" }), node("b")]), schemas: { a: two, b: two } };

    expect(mergeDocuments(mine.graph, mine, theirs, RULES.operators).schemas).toEqual({ a: two, b: two });
    expect(mergeDocuments(theirs.graph, mine, theirs, RULES.operators).schemas).toEqual({ a: one });
  });
});

describe("a node that one side renamed", () => {
  const renamed = graph([node("a", { predicate: "x > 1" }), node("late")], [edge("a", "late")]);
  const changed = graph([node("a", { predicate: "x > 1" }), node("b", { predicate: "y" })], [edge("a", "b")]);
  const both = graph([node("a", { predicate: "x > 1" }), node("late", { predicate: "y" })], [edge("a", "late")]);

  it("is one node with the new name and what the other side changed, whoever saves first", () => {
    for (const sides of [[renamed, changed] as const, [changed, renamed] as const]) {
      expect(merged(base, ...sides)).toEqual({ graph: both, clashes: [] });
    }
  });

  it("has the edges that the other side drew and removed", () => {
    const theirs = graph([...base.nodes, node("c")], [edge("b", "c")]);

    for (const sides of [[renamed, theirs] as const, [theirs, renamed] as const]) {
      const { graph: result, clashes } = merged(base, ...sides);

      expect(result.nodes.map(({ id }) => id).toSorted()).toEqual(["a", "c", "late"]);
      expect(result.edges).toEqual([edge("late", "c")]);
      expect(clashes).toEqual([]);
    }
  });

  it("is found after it was moved, too, and was changed at its place", () => {
    const moved = graph([node("a", { predicate: "x > 1" }), node("late", {}, 300)], [edge("a", "late")]);
    const rewritten = graph([node("a", { predicate: "x > 1" }), node("late", { store: "s" })], [edge("a", "late")]);

    expect(merged(base, moved, changed).graph.nodes[1]).toEqual(node("late", { predicate: "y" }, 300));
    expect(merged(base, changed, rewritten).graph.nodes[1]).toEqual(node("late", { predicate: "y", store: "s" }));
  });

  it("has my name if both renamed it, and one clash says so", () => {
    const theirs = graph([node("a", { predicate: "x > 1" }), node("tardy")], [edge("a", "tardy")]);

    const { graph: result, clashes } = merged(base, renamed, theirs);

    expect(result).toEqual(renamed);
    expect(clashes).toEqual([{ node: "late", field: "name", mine: "late", theirs: "tardy" }]);
    expect(merged(base, renamed, structuredClone(renamed))).toEqual({ graph: renamed, clashes: [] });
  });

  it("stays with a word if the other side removed it", () => {
    const { graph: result, clashes } = merged(base, renamed, graph([node("a", { predicate: "x > 1" })]));

    expect(result).toEqual(renamed);
    expect(clashes).toEqual([{ node: "late", remover: "them" }]);
  });

  it("is not guessed where two nodes could be it, or where the new name is taken", () => {
    const twins = graph([node("late"), node("later"), node("a", { predicate: "x > 1" })]);
    expect(merged(base, twins, changed).graph.nodes.map(({ id }) => id)).toEqual(["late", "later", "a", "b"]);

    const taken = graph([...changed.nodes, node("late", { predicate: "z" }, 700)], changed.edges.slice());
    expect(merged(base, renamed, taken).graph.nodes.map(({ id }) => id)).toEqual(["a", "late", "b"]);
  });

  it("keeps the schema that either side has for it", () => {
    const schema = schemaOf("integer");
    const began = graph([node("a", { topic: "one" })]);
    const mine = { graph: graph([node("orders", { topic: "one" })]), schemas: { orders: schema } };
    const theirs = { graph: graph([node("a", { topic: "one", store: "s" })]), schemas: { a: schema } };

    expect(mergeDocuments(began, mine, theirs, RULES.operators).schemas).toEqual({ orders: schema });
    expect(mergeDocuments(began, theirs, mine, RULES.operators).schemas).toEqual({ orders: schema });
    const blank = { ...mine, schemas: {} };
    expect(mergeDocuments(began, blank, theirs, RULES.operators).schemas).toEqual({ orders: schema });
  });
});

describe("the side of a conflict", () => {
  it("is told by the names of nodes", () => {
    const drawn = graph([node("a", { predicate: "y" }), node("c", {}, 40)]);

    expect(describeSide(compareWithBase(base, drawn))).toBe("added `c`; removed `b`; changed `a`");
    expect(describeSide(compareWithBase(base, base))).toBe("nothing");
  });

  it("tells a rename as one", () => {
    const drawn = graph([node("a", { predicate: "y" }), node("late")], [edge("a", "late")]);

    expect(describeSide(compareWithBase(base, drawn))).toBe("renamed `b` to `late`; changed `a`");
  });

  it("tells edges and places where no more happened", () => {
    const drawn = graph([node("a", { predicate: "x > 1" }, 40), node("b")]);

    expect(describeSide(compareWithBase(base, drawn))).toBe("moved `a`; changed 1 edge");
  });
});
