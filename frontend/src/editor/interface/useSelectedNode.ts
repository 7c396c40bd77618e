import { useInterface } from "./useEditor";

/** The one node that is selected; null when none is, or several are. */
export function useSelectedNode(): string | null {
  return useInterface(({ selection }) => (selection.nodes.size === 1 ? ([...selection.nodes][0] ?? null) : null));
}
