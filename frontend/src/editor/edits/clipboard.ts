/** Copies of nodes as text on the system's clipboard. Users can paste them into any topology, in any tab. */
import type { Graph, GraphEdge, GraphNode, GraphNote } from "../../api/types";
import { add, connect, type Document, type Edit, type Position } from "../document/document";
import { findFreeId } from "../document/naming";
import { NODE } from "../layout/places";
import { addNote, listNotes, makeId, withContents } from "./notes";

/** Some nodes and notes, the edges among them and into them, and the schemas of their topics. */
export interface Clip {
  readonly streamwright: "nodes";
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** From nodes that are not copied. */
  readonly incoming: readonly GraphEdge[];
  readonly notes: readonly GraphNote[];
  readonly schemas: Document["schemas"];
}

/** Items with these ids, and the contents of their frames. */
export function makeClip({ graph, schemas }: Document, selection: ReadonlySet<string>): Clip {
  const ids = withContents(selection, graph);
  return {
    streamwright: "nodes",
    nodes: graph.nodes.filter(({ id }) => ids.has(id)),
    edges: graph.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
    incoming: graph.edges.filter(({ source, target }) => !ids.has(source) && ids.has(target)),
    notes: listNotes(graph).filter(({ id }) => ids.has(id)),
    schemas: Object.fromEntries(Object.entries(schemas).filter(([id]) => ids.has(id))),
  };
}

export function isEmpty({ nodes, notes }: Clip): boolean {
  return nodes.length + notes.length === 0;
}

/** The nodes in a pasted text, or null if it holds something else. */
export function parseClip(text: string): Clip | null {
  try {
    const json = JSON.parse(text) as Partial<Clip> | null;
    if (json?.streamwright !== "nodes" || !Array.isArray(json.nodes) || !Array.isArray(json.edges)) return null;
    const { nodes, edges, incoming = [], notes = [], schemas = {} } = json;
    return { streamwright: "nodes", nodes, edges, incoming, notes, schemas };
  } catch {
    return null;
  }
}

interface Pasting {
  readonly edit: Edit;
  /** The new ids. */
  readonly ids: readonly string[];
}

/**
 * Inserts a copy with free ids, its upper left corner at `at`. With `keepsIncoming`, nodes of the graph that feed the
 * originals also feed the copies.
 */
export function paste(clip: Clip, at: Position, into: Graph, keepsIncoming = false): Pasting {
  const usedIds = new Set(into.nodes.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { id } of clip.nodes) {
    const free = findFreeId(id, usedIds);
    usedIds.add(free);
    ids.set(id, free);
  }
  for (const { id } of clip.notes) ids.set(id, makeId());
  const renameId = (id: string) => ids.get(id) ?? id;
  const corner = findCorner([...clip.nodes, ...clip.notes]);
  const copy = <Item extends GraphNode | GraphNote>(item: Item): Item => {
    const { x, y } = item.position;
    const position = { ...item.position, x: at.x + x - corner.x, y: at.y + y - corner.y };
    return { ...item, id: renameId(item.id), position };
  };
  const present = new Set(into.nodes.map(({ id }) => id));
  const incoming = keepsIncoming ? clip.incoming.filter(({ source }) => present.has(source)) : [];
  const edges = [
    ...clip.edges.map((edge) => ({ ...edge, source: renameId(edge.source), target: renameId(edge.target) })),
    ...incoming.map((edge) => ({ ...edge, target: renameId(edge.target) })),
  ];
  const schemas = Object.fromEntries(Object.entries(clip.schemas).map(([id, schema]) => [renameId(id), schema]));
  const edit: Edit = (document) => {
    const after = addNote(...clip.notes.map(copy))(connect(...edges)(add(...clip.nodes.map(copy))(document)));
    return { ...after, schemas: { ...after.schemas, ...schemas } };
  };
  return { edit, ids: [...ids.values()] };
}

/** The upper left corner of some nodes and notes. */
export function findCorner(nodes: readonly (GraphNode | GraphNote)[]): Position {
  return {
    x: Math.min(...nodes.map(({ position }) => position.x)),
    y: Math.min(...nodes.map(({ position }) => position.y)),
  };
}

/** A part of the canvas, in its own coordinates. */
export interface Room {
  readonly from: Position;
  readonly to: Position;
}

/** The place for a paste near `at` at which all of it is in the room, or at least its upper left part. */
export function keepInside(at: Position, { nodes, notes }: Clip, { from, to }: Room): Position {
  const corner = findCorner([...nodes, ...notes]);
  const right = Math.max(
    ...nodes.map(({ position }) => position.x + NODE.width),
    ...notes.map(({ position }) => position.x + position.width),
  );
  const bottom = Math.max(
    ...nodes.map(({ position }) => position.y + NODE.height),
    ...notes.map(({ position }) => position.y + position.height),
  );
  return {
    x: Math.max(from.x, Math.min(at.x, to.x - (right - corner.x))),
    y: Math.max(from.y, Math.min(at.y, to.y - (bottom - corner.y))),
  };
}
