import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { removeAndRejoin } from "../editor/removing";
import { useEditing } from "../editor/useEditor";
import type { Graph } from "../graph/graph";
import { isAsking, isTyping } from "../parts/isTyping";
import { copied, pasted } from "./copying";

/** Copy, cut and paste through the system's clipboard; a paste comes to where the pointer is. */
export function useClipboard(graph: Graph): void {
  const { store, rules } = useEditing();
  const flow = useReactFlow();
  const pointer = useRef({ x: 0, y: 0 });
  useEffect(() => {
    const moved = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer.current = { x, y };
    };
    const copy = (event: ClipboardEvent) => {
      const isText = isTyping(event.target) || window.getSelection()?.isCollapsed === false;
      const text = isAsking() || isText ? null : copied(store, graph);
      if (text === null) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      const { view, selection, edit } = store.getState();
      if (event.type === "cut" && view === "draft") edit(removeAndRejoin(selection.nodes, selection.edges, rules));
    };
    const put = (event: ClipboardEvent) => {
      if (isAsking() || isTyping(event.target) || store.getState().view !== "draft") return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (pasted(store, text, flow.screenToFlowPosition(onCanvas(pointer.current)))) event.preventDefault();
    };
    window.addEventListener("pointermove", moved, { passive: true });
    window.addEventListener("copy", copy);
    window.addEventListener("cut", copy);
    window.addEventListener("paste", put);
    return () => {
      window.removeEventListener("pointermove", moved);
      window.removeEventListener("copy", copy);
      window.removeEventListener("cut", copy);
      window.removeEventListener("paste", put);
    };
  }, [store, rules, flow, graph]);
}

/** The pointer, or the middle of the canvas when it is elsewhere: what is pasted must be seen. */
function onCanvas({ x, y }: { readonly x: number; readonly y: number }) {
  const box = document.querySelector(".canvas")?.getBoundingClientRect() ?? new DOMRect();
  const inside = x > box.left && x < box.right && y > box.top && y < box.bottom;
  return inside ? { x, y } : { x: box.x + box.width / 3, y: box.y + box.height / 3 };
}
