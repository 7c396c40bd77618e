import { useReactFlow } from "@xyflow/react";
import { move } from "../editor/document";
import { tidy } from "../editor/tidy";
import { useEditing } from "../editor/useEditor";
import { FIT } from "../graph/fit";
import { shapesOf } from "../editor/shape";

/** Lays out what is selected if that is more than one node, else everything; one step of undo. */
export function useTidy(): () => Promise<void> {
  const { store, ui, rules } = useEditing();
  const flow = useReactFlow();
  return async () => {
    const { document: drawn, edit } = store.getState();
    const { selection } = ui.getState();
    const some = selection.nodes.size > 1;
    const nodes = some ? drawn.graph.nodes.filter(({ id }) => selection.nodes.has(id)) : drawn.graph.nodes;
    const among = new Set(nodes.map(({ id }) => id));
    const edges = drawn.graph.edges.filter(({ source, target }) => among.has(source) && among.has(target));
    const box = document.querySelector(".canvas")?.getBoundingClientRect() ?? new DOMRect(0, 0, 2, 1);
    const shapes = shapesOf(drawn.graph, rules.operators);
    const places = await tidy({ nodes, edges }, shapes, box.width / Math.max(1, box.height));
    const corner = some
      ? {
          x: Math.min(...nodes.map(({ position }) => position.x)),
          y: Math.min(...nodes.map(({ position }) => position.y)),
        }
      : { x: 0, y: 0 };
    const left = Math.min(...[...places.values()].map(({ x }) => x));
    const top = Math.min(...[...places.values()].map(({ y }) => y));
    edit(move(new Map([...places].map(([id, { x, y }]) => [id, { x: x - left + corner.x, y: y - top + corner.y }]))));
    if (!some) requestAnimationFrame(() => void flow.fitView(FIT));
  };
}
