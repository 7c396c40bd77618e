import { findCorner, isEmpty, makeClip, paste, type Clip } from "../../editor/edits/clipboard";
import type { Position } from "../../editor/document/document";
import type { Editing } from "../../editor/interface/useEditor";
import type { Graph } from "../../api/types";

type Stores = Pick<Editing, "store" | "ui">;

const ASIDE = 32;

/** A copy of the selection, a little aside. */
export function duplicateSelection({ store, ui }: Stores): void {
  const { document } = store.getState();
  const { selection } = ui.getState();
  const clip = makeClip(document, selection.nodes);
  if (!isEmpty(clip)) addClip({ store, ui }, clip, findPlaceAside(clip));
}

/** Copies of nodes and notes at the end of a drag. */
export function copyTo({ store, ui }: Stores, places: ReadonlyMap<string, Position>): void {
  const clip = makeClip(store.getState().document, new Set(places.keys()));
  const ends = [...places.values()];
  const corner = { x: Math.min(...ends.map(({ x }) => x)), y: Math.min(...ends.map(({ y }) => y)) };
  addClip({ store, ui }, clip, corner);
}

/** The selection in the shown graph as text, or null if it is empty. */
export function copySelection({ store, ui }: Stores, graph: Graph): string | null {
  const { document } = store.getState();
  const { selection } = ui.getState();
  const clip = makeClip({ ...document, graph }, selection.nodes);
  return isEmpty(clip) ? null : JSON.stringify(clip);
}

/** Inserts a whole graph with its upper left corner at `at`. */
export function draw(stores: Stores, { nodes, edges, notes = [] }: Graph, at: Position): void {
  addClip(stores, { streamwright: "nodes", nodes, edges, incoming: [], notes, schemas: {} }, at);
}

export function addClip({ store, ui }: Stores, clip: Clip, at: Position, keepsIncoming = false): void {
  const { document, edit } = store.getState();
  const { select } = ui.getState();
  const { edit: pasteEdit, ids } = paste(clip, at, document.graph, keepsIncoming);
  edit(pasteEdit);
  select(ids);
}

function findPlaceAside(clip: Clip): Position {
  const corner = findCorner([...clip.nodes, ...clip.notes]);
  return { x: corner.x + ASIDE, y: corner.y + ASIDE };
}
