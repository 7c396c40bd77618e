/** A node that another user renames, or Undo, stays selected, and what is written about it stays with it. */
import { findRenames, listIds } from "./renames";
import type { DocumentStore } from "../document/documentStore";
import type { InterfaceStore } from "../interface/interfaceStore";

/** Does so until the returned function is called. */
export function followRenames(editor: DocumentStore, ui: InterfaceStore): () => void {
  return editor.subscribe(({ document: { graph } }, { document: { graph: before } }) => {
    const { selection, writtenComments, rename } = ui.getState();
    const followed = [...selection.nodes, ...writtenComments.keys()];
    if (graph === before || followed.length === 0) return;
    const ids = listIds(graph);
    if (followed.some((id) => !ids.has(id))) rename(findRenames(before, graph));
  });
}
