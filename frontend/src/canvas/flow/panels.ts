/** What is above the graph for a while: the finder, the list of keys, a node's name being changed in place. */
import { create } from "zustand";

interface Panels {
  readonly panel: "finder" | "shortcuts" | null;
  /** The node whose name is being changed on the canvas. */
  readonly renaming: string | null;
}

export const usePanels = create<Panels>()(() => ({ panel: null, renaming: null }));

export function openPanel(panel: Panels["panel"]): void {
  usePanels.setState({ panel });
}

/** Null: it is over. From very far a node has no room for the field. */
export function renameInPlace(renaming: string | null): void {
  if (renaming !== null && document.querySelector(".canvas.very-far") !== null) return;
  usePanels.setState({ renaming });
}
