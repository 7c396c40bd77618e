import { move } from "../../editor/document/document";
import { fitFrames } from "../../editor/edits/refitting";
import { tidy } from "../../editor/layout/tidy";
import { useEditing } from "../../editor/interface/useEditor";
import { findShapes } from "../../editor/layout/shape";
import { wrap } from "../../editor/layout/wrapping";
import { useFit } from "../flow/useFit";

/** Lays out the selection if it has several nodes, else everything. One step of undo. */
export function useTidy(): () => Promise<void> {
  const { store, ui, rules } = useEditing();
  const { fit, measureRoom } = useFit();
  return async () => {
    const { document, edit } = store.getState();
    const { selection } = ui.getState();
    const hasSome = selection.nodes.size > 1;
    const nodes = hasSome ? document.graph.nodes.filter(({ id }) => selection.nodes.has(id)) : document.graph.nodes;
    const among = new Set(nodes.map(({ id }) => id));
    const edges = document.graph.edges.filter(({ source, target }) => among.has(source) && among.has(target));
    const shapes = findShapes(document.graph, rules.operators);
    const heights = new Map([...shapes].map(([id, { height }]) => [id, height]));
    const inRow = await tidy({ nodes, edges }, shapes);
    const places = hasSome ? inRow : wrap(inRow, heights, edges, measureRoom());
    const corner = hasSome
      ? {
          x: Math.min(...nodes.map(({ position }) => position.x)),
          y: Math.min(...nodes.map(({ position }) => position.y)),
        }
      : { x: 0, y: 0 };
    const left = Math.min(...[...places.values()].map(({ x }) => x));
    const top = Math.min(...[...places.values()].map(({ y }) => y));
    const tidyUp = move(
      new Map([...places].map(([id, { x, y }]) => [id, { x: x - left + corner.x, y: y - top + corner.y }])),
    );
    edit((before) => fitFrames(tidyUp(before), before.graph));
    if (!hasSome) requestAnimationFrame(fit);
  };
}
