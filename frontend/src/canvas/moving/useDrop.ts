import { useReactFlow } from "@xyflow/react";
import type { DragEvent } from "react";
import { addOperator } from "../../editor/edits/adding";
import { NODE } from "../../editor/layout/places";
import { placeInEdge } from "../../editor/edits/choosing";
import { makeEdgeKey } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import { enterNode } from "../flow/focus";
import { readDrop, isOperator } from "../palette/dragging";

/** An operator dropped on the canvas becomes a node. On an edge it goes into that edge if both ends fit. */
export function useDrop(isReadOnly: boolean) {
  const editing = useEditing();
  const flow = useReactFlow();
  const onDragOver = (event: DragEvent) => {
    if (!isReadOnly && isOperator(event)) event.preventDefault();
  };
  const onDrop = (event: DragEvent) => {
    if (isReadOnly || !isOperator(event)) return;
    event.preventDefault();
    const { store, rules } = editing;
    const { document, edit } = store.getState();
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const at = { x: x - NODE.width / 2, y: y - NODE.height / 2 };
    const [operator, key] = [readDrop(event), findEdgeUnder(event)];
    const edge = document.graph.edges.find((one) => makeEdgeKey(one) === key);
    const insertion = edge === undefined ? null : placeInEdge(operator, edge, at, document, rules);
    const addition = insertion ?? addOperator(operator, at, document, rules);
    edit(addition.edit);
    enterNode(addition.id, editing);
  };
  return { onDragOver, onDrop };
}

/** The key of the edge under the pointer. */
function findEdgeUnder({ clientX, clientY }: DragEvent): string | null {
  const edges = document.elementsFromPoint(clientX, clientY).map((element) => element.closest(".react-flow__edge"));
  return edges.find((edge) => edge !== null)?.getAttribute("data-id") ?? null;
}
