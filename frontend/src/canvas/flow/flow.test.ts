import { describe, expect, it } from "vitest";
import { documentOf, node, RULES, edge } from "../../editor/samples";
import type { GraphEdge, GraphNote } from "../../api/types";
import type { Selection } from "../../editor/interface/interfaceStore";
import { drawFarPaths } from "../edges/drawFarPaths";
import { findFinalPlaces, makeFlowEdges, makeFlowItems, makeFlowNodes, takeBack, withFrameContents } from "./flow";
import { findShapes } from "../../editor/layout/shape";
import { readEnds } from "../edges/wiring";

const { graph } = documentOf([node("a"), node("b", "to", 200)], [edge("a b")]);
const shapes = findShapes(graph, RULES.operators);
const nothing: Selection = { nodes: new Set(), edges: new Set() };

describe("what React Flow draws", () => {
  it("stays the same objects where nothing changed", () => {
    const [before, edges] = [makeFlowNodes(graph, shapes, nothing, []), makeFlowEdges(graph, ["stream"], nothing, [])];

    const moved = { ...graph, nodes: [node("a", "filter", 8), ...graph.nodes.slice(1)] };
    const after = makeFlowNodes(moved, findShapes(moved, RULES.operators), nothing, before);

    expect(after[0]?.position).toEqual({ x: 8, y: 0 });
    expect(after[1]).toBe(before[1]);
    expect(makeFlowEdges(moved, ["stream"], nothing, edges)).toBe(edges);
  });

  it("have the ports that their config says, and the same while they do not change", () => {
    const of = (...names: string[]) => {
      const split = { ...node("a", "split"), config: { branches: names.map((name) => ({ name })) } };
      return { ...graph, nodes: [split] };
    };
    const drawn = (...names: string[]) => [of(...names), findShapes(of(...names), RULES.operators)] as const;
    const before = makeFlowNodes(...drawn("big"), nothing, []);

    const [same] = makeFlowNodes(...drawn("big"), nothing, before);
    const [more] = makeFlowNodes(...drawn("big", "small"), nothing, before);

    expect(same?.data.shape).toBe(before[0]?.data.shape);
    expect(more?.data.shape.outputs.map(({ name }) => name)).toEqual(["big", "small", "default", "out"]);
    expect([before[0]?.height, more?.height]).toEqual([80, 104]);
  });

  it("calls edges by their ports where several join the same nodes", () => {
    const label = (...edges: GraphEdge[]) =>
      makeFlowEdges({ ...graph, edges }, [], nothing, []).map(({ ariaLabel }) => ariaLabel);

    expect(label(edge("a b"))).toEqual(["Edge from a to b"]);
    expect(label(edge("a b"), edge("a b", "other"))).toEqual([
      "Edge from a to b, out into in",
      "Edge from a to b, out into other",
    ]);
  });

  it("keeps a node where it is being dragged to", () => {
    const drag = { position: { x: 77, y: 7 }, dragging: true };
    const dragged = makeFlowNodes(graph, shapes, nothing, []).map((one) => ({ ...one, ...drag }));

    expect(makeFlowNodes(graph, shapes, { ...nothing, nodes: new Set(["a"]) }, dragged)[0]).toMatchObject({
      position: { x: 77, y: 7 },
      selected: true,
    });
  });

  it("says where nodes were put down, not where they are on the way", () => {
    const change = { type: "position" as const, position: { x: 1, y: 2 } };

    const changes = [{ ...change, id: "a", dragging: true }, { ...change, id: "b", dragging: false }];
    expect([...findFinalPlaces(changes)]).toEqual([["b", { x: 1, y: 2 }]]);
  });

  it("goes back to where the document has it when its copy was put down", () => {
    const change = { type: "position" as const, id: "b", position: { x: 1, y: 2 }, dragging: false };

    expect(takeBack([change], { graph })).toEqual([{ ...change, position: { x: 200, y: 0 } }]);
  });
});

describe("notes and frames", () => {
  const note = (id: string, kind: GraphNote["kind"], x: number): GraphNote => {
    return { id, kind, text: "Late\nflights", position: { x, y: 0, width: 400, height: 200 } };
  };
  const noted = { ...graph, notes: [note("#f", "frame", -8), note("#n", "note", 900)] };

  it("are drawn with their size, a frame behind everything", () => {
    const [, , frame, sheet] = makeFlowItems(noted, shapes, { nodes: new Set(["#n"]), edges: new Set() }, []);

    expect(frame).toMatchObject({ type: "frame", width: 400, zIndex: -2_000, ariaLabel: "Frame: Late" });
    expect(sheet).toMatchObject({ type: "note", position: { x: 900, y: 0 }, selected: true });
  });

  it("stay the same objects where nothing changed", () => {
    const before = makeFlowItems(noted, shapes, nothing, []);
    const wider = { ...note("#n", "note", 900), position: { x: 0, y: 0, width: 99, height: 99 } };
    const after = makeFlowItems({ ...noted, notes: [...noted.notes.slice(0, 1), wider] }, shapes, nothing, before);

    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[2]).toBe(before[2]);
    expect(after[3]).toMatchObject({ position: { x: 0, y: 0 }, width: 99, height: 99 });
  });

  it("take along what a frame holds, from where it stood when it was picked up", () => {
    const dragged = { type: "position", id: "#f", position: { x: 2, y: 10 }, dragging: true } as const;

    expect(withFrameContents([dragged], { graph: noted })).toEqual([
      dragged,
      { type: "position", id: "a", position: { x: 10, y: 10 }, dragging: true },
      { type: "position", id: "b", position: { x: 210, y: 10 }, dragging: true },
    ]);
  });
});

it("knows a drag's ends, whichever it began at", () => {
  const handle = (nodeId: string, id: string, type: "source" | "target") => ({ nodeId, id, type }) as never;
  const ends = { source: "a", sourceHandle: "out", target: "b", targetHandle: "in" };

  expect(readEnds({ fromHandle: handle("a", "out", "source"), toHandle: handle("b", "in", "target") })).toEqual(ends);
  expect(readEnds({ fromHandle: handle("b", "in", "target"), toHandle: handle("a", "out", "source") })).toEqual(ends);
  expect(readEnds({ fromHandle: handle("a", "out", "source"), toHandle: null })).toBeNull();
});

it("draws all edges of a look as one path when seen from very far", () => {
  const nodes = makeFlowNodes(graph, shapes, nothing, []);

  const paths = drawFarPaths(nodes, makeFlowEdges(graph, ["table"], nothing, []));

  expect([...paths.keys()]).toEqual(["table"]);
  expect(paths.get("table")).toMatch(/^M192,32C.* 200,32$/);
});
