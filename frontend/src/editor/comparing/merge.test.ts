import { describe, expect, it } from "vitest";
import type { Graph, GraphEdge, GraphNode } from "../../api/types";
import { merge as mergedBy, mergeSchemas } from "./merge";
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

    expect(mergeSchemas(theirs.graph, mine, theirs)).toEqual({ a: two, b: two });
    expect(mergeSchemas(mine.graph, mine, theirs)).toEqual({ a: one });
  });
});

describe("the side of a conflict", () => {
  it("is told by the names of nodes", () => {
    const drawn = graph([node("a", { predicate: "y" }), node("c")]);

    expect(describeSide(compareWithBase(base, drawn))).toBe("added `c`; removed `b`; changed `a`");
    expect(describeSide(compareWithBase(base, base))).toBe("nothing");
  });

  it("tells edges and places where no more happened", () => {
    const drawn = graph([node("a", { predicate: "x > 1" }, 40), node("b")]);

    expect(describeSide(compareWithBase(base, drawn))).toBe("moved `a`; changed 1 edge");
  });
});
