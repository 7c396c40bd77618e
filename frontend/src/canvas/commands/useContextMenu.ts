import { useMemo, useState, type MouseEvent } from "react";
import { makeEdgeKey, type Position } from "../../editor/document/document";
import { canDraw, useEditing } from "../../editor/interface/useEditor";
import type { FlowEdge, FlowItem } from "../flow/flow";

/** An open menu: for the selection or the canvas, and its place on the screen. */
export interface Menu {
  readonly of: "nodes" | "edge" | "canvas";
  readonly screen: Position;
}

/** Opens a menu on right-click. The handlers stay the same: React Flow passes each new one to every node. */
export function useContextMenu() {
  const { store, ui } = useEditing();
  const [menu, setMenu] = useState<Menu | null>(null);
  const handlers = useMemo(() => {
    const open = (event: MouseEvent | globalThis.MouseEvent, of: Menu["of"]) => {
      event.preventDefault();
      if (canDraw({ store, ui })) setMenu({ of, screen: { x: event.clientX, y: event.clientY } });
    };
    return {
      onNodeContextMenu: (event: MouseEvent, { id }: FlowItem) => {
        const { selection, select } = ui.getState();
        if (!selection.nodes.has(id)) select([id]);
        open(event, "nodes");
      },
      onSelectionContextMenu: (event: MouseEvent) => open(event, "nodes"),
      onEdgeContextMenu: (event: MouseEvent, { data }: FlowEdge) => {
        if (data !== undefined) ui.getState().select([], [makeEdgeKey(data.edge)]);
        open(event, "edge");
      },
      onPaneContextMenu: (event: MouseEvent | globalThis.MouseEvent) => open(event, "canvas"),
    };
  }, [store, ui]);
  return { menu, setMenu, handlers };
}
