import { useStore, type OnMoveStart } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import { useEditing } from "../../editor/interface/useEditor";
import { useFit } from "../../editor/graph/useFit";

/** Keeps the whole graph in view while the canvas changes its size, until the user moves the view or edits. */
export function useRefit(): OnMoveStart {
  const { store } = useEditing();
  const fit = useFit();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const hasMoved = useRef(false);
  useEffect(() => {
    const { document, history } = store.getState();
    if (hasMoved.current || history.past.length > 0 || document.graph.nodes.length === 0) return;
    fit();
  }, [store, fit, width, height]);
  return useCallback((event) => {
    if (event !== null) hasMoved.current = true;
  }, []);
}
