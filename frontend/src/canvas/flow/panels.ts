/** Temporary panels above the graph: the finder, the list of keys, and the field for a node's name. */
import { create } from "zustand";

interface Panels {
  readonly panel: "finder" | "shortcuts" | null;
  /** The node that is being renamed on the canvas. */
  readonly renaming: string | null;
  /** Whether Alt+S was pressed: the next key says what else to select. */
  readonly isReaching: boolean;
}

const NOTHING: Panels = { panel: null, renaming: null, isReaching: false };

export const usePanels = create<Panels>()(() => NOTHING);

export function closePanels(): void {
  usePanels.setState(NOTHING);
}

export function openPanel(panel: Panels["panel"]): void {
  usePanels.setState({ panel });
}

export function askReach(isReaching: boolean): void {
  usePanels.setState({ isReaching });
}

/** Null ends it. From very far a node has no room for the field. */
export function renameInPlace(renaming: string | null): void {
  if (renaming !== null && document.querySelector(".canvas.very-far") !== null) return;
  usePanels.setState({ renaming });
}
