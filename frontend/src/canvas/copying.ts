import { clipIn, clipOf, cornerOf, paste, type Clip } from "../editor/clipboard";
import type { Position } from "../editor/document";
import type { Editing } from "../editor/useEditor";
import type { Graph } from "../api/types";

type Stores = Pick<Editing, "store" | "ui">;

const ASIDE = 32;

/** A copy of what is selected, a little aside. */
export function duplicate({ store, ui }: Stores): void {
  const { document } = store.getState();
  const { selection } = ui.getState();
  const clip = clipOf(document, selection.nodes);
  if (clip.nodes.length > 0) insert({ store, ui }, clip, aside(clip));
}

/** Copies of nodes where these were dragged to. */
export function copyTo({ store, ui }: Stores, places: ReadonlyMap<string, Position>): void {
  const clip = clipOf(store.getState().document, new Set(places.keys()));
  const dropped = clip.nodes.map((node) => ({ ...node, position: places.get(node.id) ?? node.position }));
  insert({ store, ui }, clip, cornerOf(dropped));
}

/** What is selected of the graph that is shown, as text; null when nothing is. */
export function copySelected({ store, ui }: Stores, shown: Graph): string | null {
  const { document } = store.getState();
  const { selection } = ui.getState();
  const clip = clipOf({ ...document, graph: shown }, selection.nodes);
  return clip.nodes.length > 0 ? JSON.stringify(clip) : null;
}

/** Whether the text held nodes, which now stand at `at`. */
export function pasteText(stores: Stores, text: string, at: Position): boolean {
  const clip = clipIn(text);
  if (clip === null) return false;
  insert(stores, clip, at);
  return true;
}

/** Puts a whole graph in, its upper left corner at `at`. */
export function draw(stores: Stores, { nodes, edges }: Graph, at: Position): void {
  insert(stores, { streamwright: "nodes", nodes, edges, schemas: {} }, at);
}

function insert({ store, ui }: Stores, clip: Clip, at: Position): void {
  const { document, edit } = store.getState();
  const { select } = ui.getState();
  const { edit: put, ids } = paste(clip, at, document.graph);
  edit(put);
  select(ids);
}

function aside(clip: Clip): Position {
  const corner = cornerOf(clip.nodes);
  return { x: corner.x + ASIDE, y: corner.y + ASIDE };
}
