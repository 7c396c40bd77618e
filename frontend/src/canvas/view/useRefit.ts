import { useStore, useStoreApi, type Transform } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { useSides } from "../../editor/interface/sides";
import { useEditing } from "../../editor/interface/useEditor";
import { usePanelHeights } from "../flow/room";
import { useFit } from "../flow/useFit";
import type { LentView } from "./useLentView";

/**
 * Keeps the whole graph in view while the canvas is resized or covered, until the user edits, or moves the view by the
 * pointer, a key or a button. The panel of the sample feed comes after the first view.
 */
export function useRefit({ noteMoved }: LentView): void {
  const { store } = useEditing();
  const { open } = useFit();
  const api = useStoreApi();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const covered = useSides((sides) => sides.covered);
  const panels = usePanelHeights();
  const opened = useRef<Transform | null>(null);
  useEffect(() => {
    const { document, history } = store.getState();
    if (history.past.length > 0 || document.graph.nodes.length === 0) return;
    const { transform } = api.getState();
    const hasMoved = opened.current !== null && opened.current.some((value, place) => value !== transform[place]);
    if (hasMoved) return;
    void open().then((isOpen) => {
      if (!isOpen) return;
      opened.current = api.getState().transform;
      noteMoved();
    });
  }, [store, api, open, noteMoved, width, height, covered, panels]);
}
