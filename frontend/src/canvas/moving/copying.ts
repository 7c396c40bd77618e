import { parseClip, makeClip, findCorner, isEmpty, paste, type Clip } from "../../editor/edits/clipboard";
import type { Position } from "../../editor/document/document";
import type { Editing } from "../../editor/interface/useEditor";
import type { Graph } from "../../api/types";

type Stores = Pick<Editing, "store" | "ui">;

const ASIDE = 32;

/** A copy of what is selected, a little aside. */
export function duplicate({ store, ui }: Stores): void {
  const { document } = store.getState();
  const { selection } = ui.getState();
  const clip = makeClip(document, selection.nodes);
  if (!isEmpty(clip)) insert({ store, ui }, clip, aside(clip));
}

/** Copies of nodes and notes where these were dragged to. */
export function copyTo({ store, ui }: Stores, places: ReadonlyMap<string, Position>): void {
  const clip = makeClip(store.getState().document, new Set(places.keys()));
  const ends = [...places.values()];
  const corner = { x: Math.min(...ends.map(({ x }) => x)), y: Math.min(...ends.map(({ y }) => y)) };
  insert({ store, ui }, clip, corner);
}

/** What is selected of the graph that is shown, as text; null when nothing is. */
export function copySelection({ store, ui }: Stores, graph: Graph): string | null {
  const { document } = store.getState();
  const { selection } = ui.getState();
  const clip = makeClip({ ...document, graph }, selection.nodes);
  return isEmpty(clip) ? null : JSON.stringify(clip);
}

/** Whether the text held nodes, which now are at `at`. */
export function pasteText(stores: Stores, text: string, at: Position): boolean {
  const clip = parseClip(text);
  if (clip === null) return false;
  insert(stores, clip, at);
  return true;
}

/** Puts a whole graph in, its upper left corner at `at`. */
export function draw(stores: Stores, { nodes, edges, notes = [] }: Graph, at: Position): void {
  insert(stores, { streamwright: "nodes", nodes, edges, notes, schemas: {} }, at);
}

function insert({ store, ui }: Stores, clip: Clip, at: Position): void {
  const { document, edit } = store.getState();
  const { select } = ui.getState();
  const { edit: pasteEdit, ids } = paste(clip, at, document.graph);
  edit(pasteEdit);
  select(ids);
}

function aside(clip: Clip): Position {
  const corner = findCorner([...clip.nodes, ...clip.notes]);
  return { x: corner.x + ASIDE, y: corner.y + ASIDE };
}
