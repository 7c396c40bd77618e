/** The graph in React Flow's types. Unchanged items stay the same objects, so that they are not redrawn. */
import type { Edge, Node, NodeChange } from "@xyflow/react";
import { NODE } from "../../editor/layout/places";
import { areSame } from "../../editor/document/areSame";
import { makeEdgeKey, type Document, type Position } from "../../editor/document/document";
import type { Selection } from "../../editor/interface/interfaceStore";
import type { Graph, GraphEdge, GraphNode, GraphNote } from "../../api/types";
import { findTitle, listNotes, moveWithContents } from "../../editor/edits/notes";
import type { EdgeLook } from "../../editor/graph/edges";
import type { Lane } from "../../editor/graph/paths";
import { isSameShape, type Shape } from "../../editor/layout/shape";

export type FlowNode = Node<{ readonly node: GraphNode; readonly shape: Shape }, "operator">;
export type FlowNote = Node<{ readonly note: GraphNote }, GraphNote["kind"]>;
/** Anything on the canvas. */
export type FlowItem = FlowNode | FlowNote;
export type FlowEdge = Edge<EdgeData, "edge">;

interface EdgeData extends Record<string, unknown> {
  readonly edge: GraphEdge;
  readonly look: EdgeLook;
  /** Whether nothing else enters its target. */
  readonly isOnlyInput: boolean;
  /** Where it passes nodes between its ends, or null if there are none. */
  readonly lane: Lane | null;
}

/** Everything on the canvas, with React Flow's own notes about it: its size, and whether it is dragged. */
export function makeFlowItems(
  graph: Graph,
  shapes: ReadonlyMap<string, Shape>,
  selection: Selection,
  before: readonly FlowItem[],
): FlowItem[] {
  const nodes = before.filter((one) => one.type === "operator");
  const notes = new Map(before.flatMap((one) => (one.type === "operator" ? [] : [[one.id, one]])));
  return [
    ...makeFlowNodes(graph, shapes, selection, nodes),
    ...listNotes(graph).map((note) => makeFlowNote(note, selection.nodes.has(note.id), notes.get(note.id))),
  ];
}

export function makeFlowNodes(
  graph: Graph,
  shapes: ReadonlyMap<string, Shape>,
  selection: Selection,
  before: readonly FlowNode[],
): FlowNode[] {
  const itemsById = new Map(before.map((node) => [node.id, node]));
  return graph.nodes.map((node) => {
    const [old, isSelected] = [itemsById.get(node.id), selection.nodes.has(node.id)];
    const now = shapes.get(node.id) ?? NO_PORTS;
    if (old === undefined) return makeFlowNode(node, now, isSelected);
    const shape = isSameShape(old.data.shape, now) ? old.data.shape : now;
    const isSame = old.data.node === node && old.data.shape === shape;
    if (isSame && old.selected === isSelected) return old;
    const position = old.data.node === node ? old.position : node.position;
    const data = isSame ? old.data : { node, shape };
    return { ...old, position, selected: isSelected, height: shape.height, data, ariaLabel: describeNode(node) };
  });
}

/** A frame stays behind edges even if selected, which adds 1,000. Only its title reacts to clicks. */
const BEHIND = { zIndex: -2_000, style: { pointerEvents: "none" as const } };

function makeFlowNote(note: GraphNote, isSelected: boolean, old: FlowNote | undefined): FlowNote {
  const isSame = old?.data.note === note;
  if (isSame && old.selected === isSelected) return old;
  const { x, y, width, height } = note.position;
  const place = isSame ? {} : { position: { x, y }, width, height };
  const item = { id: note.id, type: note.kind, data: isSame ? old.data : { note }, ariaLabel: findTitle(note) };
  const behind = note.kind === "frame" ? BEHIND : null;
  return { position: { x, y }, ...old, ...item, ...place, ...behind, selected: isSelected };
}

const NO_PORTS: Shape = { inputs: [], outputs: [], height: NODE.height, type: null, kind: "open" };

const NO_LANES: ReadonlyMap<string, Lane> = new Map();

export function makeFlowEdges(
  graph: Graph,
  looks: readonly EdgeLook[],
  selection: Selection,
  before: FlowEdge[],
  lanes: ReadonlyMap<string, Lane> = NO_LANES,
): FlowEdge[] {
  const edgesById = new Map(before.map((edge) => [edge.id, edge]));
  const { words, inputCounts } = readEdges(graph.edges);
  const edges = graph.edges.map((edge, index): FlowEdge => {
    const [id, look, ariaLabel] = [makeEdgeKey(edge), looks[index] ?? "stream", words[index] ?? ""];
    const [old, isSelected] = [edgesById.get(id), selection.edges.has(id)];
    const lane = lanes.get(id) ?? null;
    const isOnlyInput = inputCounts.get(edge.target) === 1;
    const facts = { edge, look, lane, isOnlyInput };
    const isAsDrawn = old?.data !== undefined && isSameData(old.data, facts);
    const isSame = isAsDrawn && old.ariaLabel === ariaLabel;
    if (isSame && old.selected === isSelected) return old;
    return {
      id,
      type: "edge",
      source: edge.source,
      sourceHandle: edge.source_port,
      target: edge.target,
      targetHandle: edge.target_port,
      ariaLabel,
      data: facts,
      selected: isSelected,
    };
  });
  const isSame = edges.length === before.length && edges.every((edge, index) => edge === before[index]);
  return isSame ? before : edges;
}

function isSameData(one: EdgeData, other: EdgeData): boolean {
  const { edge, look, lane, isOnlyInput } = one;
  return edge === other.edge && look === other.look && areSame(lane, other.lane) && isOnlyInput === other.isOnlyInput;
}

interface EdgeFacts {
  readonly words: readonly string[];
  readonly inputCounts: ReadonlyMap<string, number>;
}

const factsOfEdges = new WeakMap<Graph["edges"], EdgeFacts>();

/** The name of each edge, and how many edges end in each node. Kept while no edge changes, as during typing. */
function readEdges(edges: Graph["edges"]): EdgeFacts {
  const known = factsOfEdges.get(edges);
  if (known !== undefined) return known;
  const inputCounts = new Map<string, number>();
  for (const { target } of edges) inputCounts.set(target, (inputCounts.get(target) ?? 0) + 1);
  const facts = { words: nameEdges(edges), inputCounts };
  factsOfEdges.set(edges, facts);
  return facts;
}

/** The name of each edge, with ports if several edges join the same nodes. */
function nameEdges(edges: Graph["edges"]): readonly string[] {
  const words = edges.map(({ source, target }) => `Edge from ${source} to ${target}`);
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return edges.map(({ source_port, target_port }, index) => {
    const word = words[index] ?? "";
    return (times.get(word) ?? 0) > 1 ? `${word}, ${source_port} into ${target_port}` : word;
  });
}

type Changes = readonly NodeChange<FlowItem>[];

/** The new places of nodes, also under the pointer. */
export function findPlaces(changes: Changes): ReadonlyMap<string, Position> {
  return new Map(
    changes.flatMap((change) => (change.type === "position" && change.position ? [[change.id, change.position]] : [])),
  );
}

/** The places after a drag or a step with an arrow key. Empty during a drag. */
export function findFinalPlaces(changes: Changes): ReadonlyMap<string, Position> {
  return findPlaces(changes.filter((change) => change.type === "position" && change.dragging !== true));
}

/** The same changes, plus those of the contents of moved frames. */
export function withFrameContents(changes: Changes, { graph }: Pick<Document, "graph">): Changes {
  const places = findPlaces(changes);
  const positions = moveWithContents(places, graph);
  if (positions === places) return changes;
  const how = { type: "position" as const, dragging: findFinalPlaces(changes).size === 0 };
  const more = [...positions].filter(([id]) => !places.has(id));
  return [...changes, ...more.map(([id, position]) => ({ ...how, id, position }))];
}

/** The same changes, shifted by a distance. */
export function moveBy(changes: Changes, by: Position): NodeChange<FlowItem>[] {
  return changes.map((change) =>
    change.type === "position" && change.position
      ? { ...change, position: { x: change.position.x + by.x, y: change.position.y + by.y } }
      : change,
  );
}

/** The same changes with the nodes at their places in the document: the user placed copies. */
export function takeBack(changes: Changes, { graph }: Pick<Document, "graph">): NodeChange<FlowItem>[] {
  const elements = [...graph.nodes, ...listNotes(graph)];
  const places = new Map<string, Position>(elements.map(({ id, position }) => [id, position]));
  return changes.map((change) => {
    const place = change.type === "position" ? places.get(change.id) : undefined;
    return change.type === "position" && place !== undefined ? { ...change, position: place } : change;
  });
}

function makeFlowNode(node: GraphNode, shape: Shape, isSelected: boolean): FlowNode {
  return {
    id: node.id,
    type: "operator",
    position: node.position,
    data: { node, shape },
    selected: isSelected,
    ariaLabel: describeNode(node),
    width: NODE.width,
    height: shape.height,
  };
}

function describeNode({ id, operator, bypassed = false }: GraphNode): string {
  return `${id}: ${operator}${bypassed ? ", bypassed" : ""}`;
}
