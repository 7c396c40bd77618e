import { useReactFlow } from "@xyflow/react";
import { useCallback, type MouseEvent } from "react";
import type { From } from "../../editor/edits/adding";
import { addFed } from "../../editor/edits/bridging";
import { findPlaceBehind, NODE } from "../../editor/layout/places";
import { placeAtSelection } from "../../editor/edits/choosing";
import { findNode, makeEdgeKey, type Position } from "../../editor/document/document";
import { useSides } from "../../editor/interface/sides";
import { canDraw, useEditing } from "../../editor/interface/useEditor";
import { measureCanvas } from "../flow/room";
import type { Picking } from "./NodePicker";

/** The ways to open the picker: at a place, after a clicked output, and at the selection. */
export function usePicking(open: (picking: Picking) => void) {
  const { store, ui } = useEditing();
  const flow = useReactFlow();
  const operatorOf = useCallback(
    (id: string | undefined) => findNode(store.getState().document, id ?? "")?.operator,
    [store],
  );

  const pickAt = useCallback(
    (screen: Position, from: From | null) => {
      const { x, y } = flow.screenToFlowPosition(screen);
      const at = { x, y: y - NODE.height / 2 };
      const feeds = from === null ? [] : [from];
      open({
        place: onCanvas(screen),
        after: operatorOf(from?.source),
        add: (operator, document, rules) => addFed(operator, at, document, rules, feeds),
      });
    },
    [flow, open, operatorOf],
  );
  const pickBehind = useCallback(
    ({ target }: MouseEvent) => {
      const { document } = store.getState();
      const from = findPortUnder(target);
      const node = findNode(document, from?.source ?? "");
      if (from === null || node === undefined || !canDraw({ store, ui })) return;
      const at = findPlaceBehind(node, document.graph.nodes);
      open({
        place: onCanvas(flow.flowToScreenPosition({ x: node.position.x + NODE.width + AIR, y: node.position.y })),
        after: node.operator,
        add: (operator, document, rules) => addFed(operator, at, document, rules, [from]),
      });
    },
    [flow, open, store, ui],
  );
  const pickAtSelection = useCallback(() => {
    const { document } = store.getState();
    const { selection } = ui.getState();
    const edge = document.graph.edges.find((one) => selection.edges.has(makeEdgeKey(one)));
    const source = findNode(document, [...selection.nodes].at(-1) ?? edge?.source ?? "");
    const box = measureCanvas();
    const screen =
      source === undefined
        ? { x: box.x + box.width / 2 - 100, y: box.y + box.height / 4 }
        : flow.flowToScreenPosition({ x: source.position.x + NODE.width + AIR, y: source.position.y });
    const centre = flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    open({
      place: onCanvas(screen),
      after: source?.operator,
      add: (operator, document, rules) => placeAtSelection(operator, selection, centre, document, rules),
    });
  }, [flow, open, store, ui]);
  return { pickAt, pickBehind, pickAtSelection };
}

const AIR = 16;
/** How large the picker becomes, in pixels. */
const PICKER_WIDTH = 250;

/** The output under the pointer. */
function findPortUnder(target: EventTarget): From | null {
  const port = target instanceof Element ? target.closest(".react-flow__handle.source:not(.is-lost)") : null;
  const [source, name] = [port?.getAttribute("data-nodeid"), port?.getAttribute("data-handleid")];
  return source == null || name == null ? null : { source, port: name };
}

/** From the canvas' upper left corner, at a place that shows the whole picker. */
function onCanvas({ x, y }: Position): Position {
  const box = measureCanvas();
  const inside = (value: number, most: number) => Math.max(0, Math.min(value, most));
  const width = box.width - useSides.getState().covered;
  return { x: inside(x - box.x, width - PICKER_WIDTH), y: inside(y - box.y, box.height * 0.4) };
}
