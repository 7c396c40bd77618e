import { useStore, useStoreApi, type Transform } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { useSides } from "../../editor/interface/sides";
import { useEditing } from "../../editor/interface/useEditor";
import { useRestingValue } from "../../ui/browser/useRestingValue";
import { usePanelHeights } from "../flow/room";
import { useFit } from "../flow/useFit";
import type { LentView } from "./useLentView";

/**
 * Keeps the whole graph in view while the canvas is resized or covered, until the user edits, or moves the view by the
 * pointer, a key or a button. The panel of the sample feed comes after the first view. The view stays while a pointer
 * is held: a node that is dragged would go with it.
 */
export function useRefit({ noteMoved }: LentView): void {
  const { store } = useEditing();
  const { open } = useFit();
  const api = useStoreApi();
  const width = useRestingValue(useStore((state) => state.width));
  const height = useRestingValue(useStore((state) => state.height));
  const covered = useRestingValue(useSides((sides) => sides.covered));
  const panels = useRestingValue(usePanelHeights());
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
