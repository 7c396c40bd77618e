import { useReactFlow, type ReactFlowInstance } from "@xyflow/react";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { readDescription } from "../../api/calls";
import { toRefusal } from "../../api/refusal";
import type { Position } from "../../editor/document/document";
import { keepInside, parseClip, type Room } from "../../editor/edits/clipboard";
import { removeAndRejoin } from "../../editor/edits/removing";
import { useSides } from "../../editor/interface/sides";
import { canDraw, useEditing } from "../../editor/interface/useEditor";
import { isDescription } from "../../editor/graph/description";
import type { Graph } from "../../api/types";
import { isAsking, isTyping } from "../../ui/browser/isTyping";
import { measureCanvas } from "../flow/room";
import { addClip, copySelection, draw } from "./copying";
import type { Outcome } from "./PastedDialog";

/**
 * Copy, cut and paste through the system's clipboard. A paste goes to the pointer; with Shift, it keeps the edges into
 * what was copied.
 * The server draws the output of Kafka Streams' `Topology.describe()`. `outcome` is the result until it is closed.
 */
export function useClipboard(graph: Graph): { readonly outcome: Outcome | null; readonly close: () => void } {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { store, ui, rules } = useEditing();
  const flow = useReactFlow();
  const pointer = useRef({ x: 0, y: 0 });
  const hasShift = useRef(false);
  const copy = useEffectEvent((event: ClipboardEvent) => {
    const isText = isTyping(event.target) || window.getSelection()?.isCollapsed === false;
    const text = isAsking() || isText ? null : copySelection({ store, ui }, graph);
    if (text === null) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    const { edit } = store.getState();
    const { nodes, edges } = ui.getState().selection;
    if (event.type === "cut" && canDraw({ store, ui })) edit(removeAndRejoin(nodes, edges, rules));
  });
  const describe = async (text: string, at: Position) => {
    try {
      const { graph, notes } = await readDescription(text);
      draw({ store, ui }, graph, at);
      if (notes.length > 0) setOutcome({ notes });
    } catch (error) {
      setOutcome({ refusal: toRefusal(error) });
    }
  };
  const put = useEffectEvent((event: ClipboardEvent) => {
    if (isAsking() || isTyping(event.target) || !canDraw({ store, ui })) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const at = flow.screenToFlowPosition(onCanvas(pointer.current));
    const clip = parseClip(text);
    if (clip !== null) addClip({ store, ui }, clip, keepInside(at, clip, measureRoom(flow)), hasShift.current);
    else if (isDescription(text)) void describe(text, at);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const noteShift = ({ shiftKey }: KeyboardEvent) => {
      hasShift.current = shiftKey;
    };
    const notePointer = ({ clientX: x, clientY: y }: PointerEvent) => {
      pointer.current = { x, y };
    };
    window.addEventListener("keydown", noteShift, { capture: true, signal });
    window.addEventListener("keyup", noteShift, { capture: true, signal });
    window.addEventListener("pointermove", notePointer, { passive: true, signal });
    window.addEventListener("copy", (event) => copy(event), { signal });
    window.addEventListener("cut", (event) => copy(event), { signal });
    window.addEventListener("paste", (event) => put(event), { signal });
    return () => stop.abort();
  }, []);
  return { outcome, close: useCallback(() => setOutcome(null), []) };
}

const MARGIN = 24;

/** What is seen of the canvas once the inspector shows what was pasted. */
function measureRoom({ screenToFlowPosition }: Pick<ReactFlowInstance, "screenToFlowPosition">): Room {
  const box = measureCanvas();
  return {
    from: screenToFlowPosition({ x: box.left + MARGIN, y: box.top + MARGIN }),
    to: screenToFlowPosition({ x: box.right - useSides.getState().inspector - MARGIN, y: box.bottom - MARGIN }),
  };
}

/** The pointer, or the middle of the canvas if it is elsewhere, so that users see the paste. */
function onCanvas({ x, y }: { readonly x: number; readonly y: number }) {
  const box = measureCanvas();
  const isInside = x > box.left && x < box.right && y > box.top && y < box.bottom;
  return isInside ? { x, y } : { x: box.x + box.width / 3, y: box.y + box.height / 3 };
}
