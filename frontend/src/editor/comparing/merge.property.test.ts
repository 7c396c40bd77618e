import fc from "fast-check";
import { expect, test } from "vitest";
import type { Graph, GraphEdge, GraphNode, GraphNote } from "../../api/types";
import { makeEdgeKey } from "../document/document";
import { areAlike, merge as mergedBy } from "./merge";
import { findRenames, renameAll } from "./renames";
import { findTitle, listNotes, withNotes } from "../edits/notes";
import { RULES } from "../samples";

const PORTS: Readonly<Record<string, readonly string[]>> = { filter: ["in"], join: ["left", "right"], merge: ["in"] };

const node = (id: string) =>
  fc.record({
    id: fc.constant(id),
    operator: fc.constantFrom(...Object.keys(PORTS)),
    config: fc.dictionary(fc.constantFrom("predicate", "store"), fc.constantFrom("x", "y", "z")),
    position: fc.record({ x: fc.nat(2), y: fc.constant(0) }),
  });

const note = (id: string) =>
  fc.record({
    id: fc.constant(id),
    kind: fc.constant("note" as const),
    text: fc.constantFrom("x", "y", "z"),
    colour: fc.constantFrom("red", "blue"),
    position: fc.record({ x: fc.nat(2), y: fc.constant(0), width: fc.constant(9), height: fc.constant(9) }),
  });

const notes = fc.subarray(["#1", "#2", "#3"]).chain((ids) => fc.tuple(...ids.map(note)));

/** Some of five nodes, and edges between them; one into a port that takes one. Some of three notes. */
const graph: fc.Arbitrary<Graph> = fc
  .subarray(["a", "b", "c", "d", "e"])
  .chain((ids) => fc.tuple(...ids.map(node)))
  .chain((nodes: readonly GraphNode[]) => {
    const every = nodes.flatMap(({ id: target, operator }) =>
      (PORTS[operator] ?? []).flatMap((target_port) =>
        nodes
          .filter(({ id }) => id !== target)
          .map(({ id }): GraphEdge => ({ source: id, source_port: "out", target, target_port })),
      ),
    );
    return fc
      .tuple(fc.shuffledSubarray(every), notes)
      .map(([edges, drawn]) => withNotes({ nodes, edges: onePerPort(nodes, edges) }, drawn));
  });

function onePerPort(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const many = new Set(nodes.filter(({ operator }) => operator === "merge").map(({ id }) => id));
  const portOf = ({ target, target_port }: GraphEdge) => `${target}.${target_port}`;
  return edges.filter(
    (edge, at) => many.has(edge.target) || edges.findIndex((one) => portOf(one) === portOf(edge)) === at,
  );
}

const merged = (base: Graph | null, mine: Graph, theirs: Graph) => mergedBy(base, mine, theirs, RULES.operators);

/** The graph whatever the order of its nodes and edges. */
function content(graph: Graph) {
  return {
    nodes: new Map(graph.nodes.map((one) => [one.id, one])),
    edges: new Set(graph.edges.map(makeEdgeKey)),
    notes: new Map(listNotes(graph).map((one) => [one.id, one])),
  };
}

const three = fc.tuple(graph, graph, graph);

test("a side that changed nothing takes what the other made", () => {
  fc.assert(
    fc.property(graph, graph, (base, changed) => {
      for (const both of [merged(base, base, changed), merged(base, changed, base)]) {
        expect(content(both.graph)).toEqual(content(changed));
        expect(both.clashes).toEqual([]);
      }
    }),
  );
});

test("two sides that made the same agree", () => {
  fc.assert(
    fc.property(fc.option(graph), graph, (base, changed) => {
      const both = merged(base, changed, changed);
      expect(content(both.graph)).toEqual(content(changed));
      expect(both.clashes).toEqual([]);
    }),
  );
});

test("both sides see the same nodes and the same clashes of nodes, whoever saves first", () => {
  fc.assert(
    fc.property(three, ([base, mine, theirs]) => {
      const [one, other] = [merged(base, mine, theirs), merged(base, theirs, mine)];
      // a node that both renamed has the name of whoever saves last
      const names = other.clashes.flatMap((clash) => ("field" in clash && clash.field === "name" ? [clash] : []));
      const nameAlike = (id: string) => names.find(({ mine }) => mine === id)?.theirs ?? id;
      expect(new Set(one.graph.nodes.map(({ id }) => id))).toEqual(
        new Set(other.graph.nodes.map(({ id }) => nameAlike(id))),
      );
      const removals = ({ clashes }: typeof one) =>
        clashes.flatMap((clash) => ("remover" in clash ? [clash.node] : []));
      expect(new Set(removals(one))).toEqual(new Set(removals(other).map(nameAlike)));
    }),
  );
});

test("what comes out is a graph: edges between its nodes, and one into a port that takes one", () => {
  fc.assert(
    fc.property(fc.option(graph), graph, graph, (base, mine, theirs) => {
      const { nodes, edges } = merged(base, mine, theirs).graph;
      const ids = new Set(nodes.map(({ id }) => id));
      expect(ids.size).toBe(nodes.length);
      expect(edges.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([]);
      expect(onePerPort(nodes, edges)).toEqual(edges);
    }),
  );
});

test("a renamed node that the other side changed is one node", () => {
  const apart = (graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.map((node, index) => ({ ...node, position: { x: index * 9, y: 0 } })),
  });
  fc.assert(
    fc.property(graph.map(apart), fc.nat(4), fc.string(), (base, index, predicate) => {
      const chosen = base.nodes[index];
      if (chosen === undefined) return;
      const named = renameAll(base, new Map([[chosen.id, "new"]]));
      const change = (node: GraphNode) => (node.id === chosen.id ? { ...node, config: { predicate } } : node);
      const changed = { ...base, nodes: base.nodes.map(change) };

      for (const both of [merged(base, named, changed), merged(base, changed, named)]) {
        expect(content(both.graph)).toEqual(content(renameAll(changed, new Map([[chosen.id, "new"]]))));
        expect(both.clashes).toEqual([]);
      }
    }),
  );
});

test("nothing that a side added or changed is lost without a word", () => {
  fc.assert(
    fc.property(three, ([base, mine, theirs]) => {
      const { graph: both, clashes } = merged(base, mine, theirs);
      const before = content(base).nodes;
      const kept = new Set([...both.nodes.map(({ id }) => id), ...clashes.map((clash) => clash.node)]);
      const made = [...mine.nodes, ...theirs.nodes].filter((node) => {
        const was = before.get(node.id);
        return was === undefined || !areAlike(was, node);
      });
      const renames = [findRenames(base, mine), findRenames(base, theirs)];
      const named = new Set(clashes.map((clash) => "field" in clash && clash.field === "name" && clash.theirs));
      const isGone = (id: string) => !kept.has(id) && !named.has(id);
      expect(made.filter(({ id }) => [id, ...renames.map((names) => names.get(id) ?? id)].every(isGone))).toEqual([]);

      const clashing = new Set(clashes.map((clash) => clash.node));
      const written = [...listNotes(mine), ...listNotes(theirs)].filter(
        ({ id, text }) => content(base).notes.get(id)?.text !== text,
      );
      const says = content(both).notes;
      const isKept = (one: GraphNote) => says.get(one.id)?.text === one.text || clashing.has(findTitle(one));
      expect(written.filter((one) => !isKept(one) && !clashing.has(findTitle(says.get(one.id) ?? one)))).toEqual([]);
    }),
  );
});
