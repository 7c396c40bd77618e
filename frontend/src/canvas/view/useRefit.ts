import { useStore, type OnMoveStart } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import { useSides } from "../../editor/interface/sides";
import { useEditing } from "../../editor/interface/useEditor";
import { usePanelHeights } from "../flow/room";
import { useFit } from "../flow/useFit";

/**
 * Keeps the whole graph in view while the canvas is resized or covered, until the user moves the view or edits. The
 * panel of the sample feed comes after the first view.
 */
export function useRefit(): OnMoveStart {
  const { store } = useEditing();
  const { open } = useFit();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const covered = useSides((sides) => sides.covered);
  const panels = usePanelHeights();
  const hasMoved = useRef(false);
  useEffect(() => {
    const { document, history } = store.getState();
    if (hasMoved.current || history.past.length > 0 || document.graph.nodes.length === 0) return;
    open();
  }, [store, open, width, height, covered, panels]);
  return useCallback((event) => {
    if (event !== null) hasMoved.current = true;
  }, []);
}
