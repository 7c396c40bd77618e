import { useEffect } from "react";
import { nodeOf } from "../../editor/document";
import { isNote } from "../../editor/notes";
import type { Selection } from "../../editor/interfaceStore";
import { useEditing } from "../../editor/useEditor";
import { hrefs, nodeIn } from "../../routing/route";

/** The address names the selected node: a link to it opens it, and Back and Forward follow the selection. */
export function useNodeLink(): void {
  const { store, ui } = useEditing();
  useEffect(() => {
    const { topology } = store.getState();
    const home = hrefs.editor(topology);
    const follow = () => {
      const node = nodeOf(store.getState().document, nodeIn(window.location.search) ?? "");
      if (window.location.pathname !== home) return;
      if (node === undefined) window.history.replaceState(null, "", home);
      ui.getState().select(node === undefined ? [] : [node.id]);
    };
    follow();
    const stop = ui.subscribe(({ selection }, before) => {
      if (selection === before.selection || selection.nodes.size > 1) return;
      const node = onlyNode(selection);
      if (node !== nodeIn(window.location.search)) window.history.pushState(null, "", hrefs.editor(topology, node));
    });
    window.addEventListener("popstate", follow);
    return () => {
      stop();
      window.removeEventListener("popstate", follow);
    };
  }, [store, ui]);
}

function onlyNode({ nodes }: Selection): string | null {
  const [only = ""] = nodes;
  return only === "" || isNote(only) ? null : only;
}
