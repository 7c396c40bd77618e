import { useInterface } from "./useEditor";

/** The one selected node, or null if none or several are selected. */
export function useSelectedNode(): string | null {
  return useInterface(({ selection }) => (selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null));
}
