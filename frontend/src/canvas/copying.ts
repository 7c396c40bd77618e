import { clipIn, clipOf, cornerOf, paste, type Clip } from "../editor/clipboard";
import type { Position } from "../editor/document";
import type { EditorStore } from "../editor/store";
import type { Graph } from "../api/types";

const ASIDE = 32;

/** A copy of what is selected, a little aside. */
export function duplicate(store: EditorStore): void {
  const { document, selection } = store.getState();
  const clip = clipOf(document, selection.nodes);
  if (clip.nodes.length > 0) insert(store, clip, aside(clip));
}

/** What is selected of the graph that is shown, as text; null when nothing is. */
export function copied(store: EditorStore, shown: Graph): string | null {
  const { document, selection } = store.getState();
  const clip = clipOf({ ...document, graph: shown }, selection.nodes);
  return clip.nodes.length > 0 ? JSON.stringify(clip) : null;
}

/** Whether the text held nodes, which now stand at `at`. */
export function pasted(store: EditorStore, text: string, at: Position): boolean {
  const clip = clipIn(text);
  if (clip === null) return false;
  insert(store, clip, at);
  return true;
}

/** Puts a whole graph in, its upper left corner at `at`. */
export function drawn(store: EditorStore, { nodes, edges }: Graph, at: Position): void {
  insert(store, { streamwright: "nodes", nodes, edges, schemas: {} }, at);
}

function insert(store: EditorStore, clip: Clip, at: Position): void {
  const { document, edit, select } = store.getState();
  const { edit: put, ids } = paste(clip, at, document.graph);
  edit(put);
  select(ids);
}

function aside(clip: Clip): Position {
  const corner = cornerOf(clip.nodes);
  return { x: corner.x + ASIDE, y: corner.y + ASIDE };
}
