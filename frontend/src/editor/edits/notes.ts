/** Notes, frames and colours for readers. A frame is behind nodes, and moves those inside it. */
import type { Graph, GraphNode, GraphNote } from "../../api/types";
import { NODE } from "../layout/places";
import { bound } from "../layout/rects";
import type { Document, Edit, Position } from "../document/document";

export type Area = GraphNote["position"];
export type Colour = NonNullable<GraphNote["colour"]>;

const NOTE = { width: 240, height: 120 };
/** Space between a frame and its contents, with room for its title above. */
const AIR = { side: 24, top: 48 };
const NOTHING: readonly GraphNote[] = [];

/** Ids of notes begin with a character that no node id has, so that both can be selected together. */
export function isNote(id: string): boolean {
  return id.startsWith("#");
}

export function listNotes({ notes = NOTHING }: Pick<Graph, "notes">): readonly GraphNote[] {
  return notes;
}

/** Everything that can be selected, except edges. */
export function listDrawnIds(graph: Graph): readonly string[] {
  return [...graph.nodes, ...listNotes(graph)].map(({ id }) => id);
}

/** The graph with these notes. Without any, the member is missing, as in the server's JSON. */
export function withNotes({ notes: _, ...graph }: Graph, notes: readonly GraphNote[]): Graph {
  return notes.length === 0 ? graph : { ...graph, notes };
}

/** An id that no other user can draw at the same time. */
export function makeId(): string {
  return `#${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
}

export function makeNote(at: Position): GraphNote {
  return { id: makeId(), kind: "note", text: "", position: { ...round(at), ...NOTE }, colour: "yellow" };
}

/** Moves a note to the first free place below, so that it covers no node. */
export function moveClear(nodes: readonly GraphNode[], note: GraphNote): GraphNote {
  const { position } = note;
  const contents = nodes.filter(
    ({ position: { x, y } }) =>
      x < position.x + position.width &&
      x + NODE.width > position.x &&
      y < position.y + position.height &&
      y + NODE.height > position.y,
  );
  if (contents.length === 0) return note;
  const below = Math.max(...contents.map(({ position: { y } }) => y)) + NODE.height + AIR.side;
  return moveClear(nodes, { ...note, position: { ...position, y: below } });
}

/** A frame around some nodes and notes. Null if none of them is there: the selection also names what was undone. */
export function makeFrameAround(ids: ReadonlySet<string>, graph: Graph): GraphNote | null {
  if (!listDrawnIds(graph).some((id) => ids.has(id))) return null;
  return { id: makeId(), kind: "frame", text: "", position: findAreaAround(ids, graph) };
}

/** The area of a frame that contains all of these. */
export function findAreaAround(ids: ReadonlySet<string>, graph: Graph): Area {
  const areas = [...graph.nodes.map(findArea), ...listNotes(graph).map(findArea)].filter(({ id }) => ids.has(id));
  const { x, y, width, height } = bound(areas);
  return {
    x: x - AIR.side,
    y: y - AIR.top,
    width: width + 2 * AIR.side,
    height: height + AIR.top + AIR.side,
  };
}

/** The contents that move with a frame: nodes whose middle is inside, and whole notes. */
export function findContents({ id, position: frame }: GraphNote, graph: Graph): ReadonlySet<string> {
  const holds = (x: number, y: number) =>
    x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;
  const nodes = graph.nodes.filter(({ position: { x, y } }) => holds(x + NODE.width / 2, y + NODE.height / 2));
  const notes = listNotes(graph).filter(
    ({ id: other, position: { x, y, width, height } }) =>
      other !== id && holds(x, y) && holds(x + width, y + height),
  );
  return new Set([...nodes, ...notes].map((one) => one.id));
}

/** The places of everything when these move to `places`: frames move their contents. */
export function moveWithContents(places: ReadonlyMap<string, Position>, graph: Graph): ReadonlyMap<string, Position> {
  const frames = listNotes(graph).filter(({ id, kind }) => kind === "frame" && places.has(id));
  if (frames.length === 0) return places;
  const items = [...graph.nodes, ...listNotes(graph)];
  const positions = new Map<string, Position>(items.map((one) => [one.id, one.position]));
  const newPlaces = new Map(places);
  for (const frame of frames) {
    const to = places.get(frame.id) ?? frame.position;
    const by = { x: to.x - frame.position.x, y: to.y - frame.position.y };
    for (const id of findContents(frame, graph)) {
      const from = positions.get(id);
      if (!newPlaces.has(id) && from !== undefined) newPlaces.set(id, { x: from.x + by.x, y: from.y + by.y });
    }
  }
  return newPlaces;
}

/** The selection, and all contents of its frames. */
export function withContents(ids: ReadonlySet<string>, graph: Graph): ReadonlySet<string> {
  const frames = listNotes(graph).filter(({ id, kind }) => kind === "frame" && ids.has(id));
  return new Set([...ids, ...frames.flatMap((frame) => [...findContents(frame, graph)])]);
}

export const addNote =
  (...notes: readonly GraphNote[]): Edit =>
  (document) =>
    change(document, (before) => [...before, ...notes]);

export const writeNote =
  (id: string, text: string): Edit =>
  (document) =>
    change(document, (notes) => notes.map((note) => (note.id === id ? { ...note, text } : note)));

export const placeNote =
  (id: string, { x, y, width, height }: Area): Edit =>
  (document) => {
    const size = { width: Math.round(width), height: Math.round(height) };
    const position = { ...round({ x, y }), ...size };
    return change(document, (notes) => notes.map((note) => (note.id === id ? { ...note, position } : note)));
  };

/** Sets the colour of nodes and notes. Null removes it. */
export const setColour =
  (ids: ReadonlySet<string>, colour: Colour | null): Edit =>
  (document) => {
    const set = <Item extends GraphNode | GraphNote>(one: Item) =>
      ids.has(one.id) && (one.colour ?? null) !== colour ? withColour(one, colour) : one;
    const { graph } = document;
    const notes = listNotes(graph).map(set);
    return { ...document, graph: withNotes({ ...graph, nodes: graph.nodes.map(set) }, notes) };
  };

/** Without a colour the member is missing, as in the server's JSON. */
export function withColour<Item extends GraphNode | GraphNote>(item: Item, colour: Colour | null): Item {
  const { colour: _, ...others } = item;
  return (colour === null ? others : { ...others, colour }) as Item;
}

/** A note's first line, which is its name. */
export function findTitle({ kind, text }: Pick<GraphNote, "kind" | "text">): string {
  const [first = ""] = text.split("\n").map((line) => line.replace(/^[#>*\-\s]+/, "").trim()).filter(Boolean);
  const name = kind === "frame" ? "Frame" : "Note";
  return first === "" ? name : `${name}: ${first}`;
}

function change(document: Document, edit: (notes: readonly GraphNote[]) => readonly GraphNote[]): Document {
  return { ...document, graph: withNotes(document.graph, edit(listNotes(document.graph))) };
}

function findArea(item: GraphNode | GraphNote): Area & { readonly id: string } {
  return { ...NODE, ...item.position, id: item.id };
}

function round({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) };
}
