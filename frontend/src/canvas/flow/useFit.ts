import { useReactFlow, useStoreApi, type Edge, type Node } from "@xyflow/react";
import { useMemo } from "react";
import type { Rect } from "../../editor/layout/rects";
import { fitView, openView, type View } from "./fit";
import { measureRoom } from "./room";

interface Fitting {
  /** Brings everything into view. */
  readonly fit: () => void;
  /** Brings the selection into view, or everything if nothing is selected. */
  readonly fitSelection: () => void;
  /**
   * Brings everything into view, if it is legible so. Else the selection with its neighbours, or the start of the
   * graph. False if there is nothing to show, or no room.
   */
  readonly open: () => Promise<boolean>;
  /** The part of the canvas that nothing covers, in pixels. */
  readonly measureRoom: () => Pick<Rect, "width" | "height">;
}

export function useFit(): Fitting {
  const flow = useReactFlow();
  const api = useStoreApi();
  return useMemo(() => {
    const showIn = (room: Rect, view: View) => flow.setViewport({ ...view, y: view.y + room.y });
    const show = (nodes: Node[]) => {
      if (api.getState().width === 0 || nodes.length === 0) return;
      const room = measureRoom(api.getState());
      void showIn(room, fitView(flow.getNodesBounds(nodes), room));
    };
    const fit = () => show(flow.getNodes());
    const fitSelection = () => {
      const nodes = flow.getNodes();
      const selection = nodes.filter(({ selected }) => selected === true);
      show(selection.length === 0 ? nodes : selection);
    };
    const open = async () => {
      const nodes = flow.getNodes();
      if (api.getState().width === 0 || nodes.length === 0) return false;
      const selection = nodes.filter(({ selected }) => selected === true);
      const ids = new Set(selection.map(({ id }) => id));
      const measure = (node: Node) => flow.getNodesBounds([node]);
      const neighbours = listNeighbours(flow.getEdges(), ids);
      const chosen = {
        selection: flow.getNodesBounds(selection),
        neighbours: nodes.filter(({ id }) => neighbours.has(id)).map(measure),
      };
      const room = measureRoom(api.getState());
      return showIn(room, openView(nodes.map(measure), ids.size === 0 ? null : chosen, room, flow.getZoom()));
    };
    return { fit, fitSelection, open, measureRoom: () => measureRoom(api.getState()) };
  }, [flow, api]);
}

/** The nodes that an edge joins with some, without these. */
export function listNeighbours(edges: readonly Edge[], ids: ReadonlySet<string>): ReadonlySet<string> {
  const ends = edges.flatMap(({ source, target }) => (ids.has(source) || ids.has(target) ? [source, target] : []));
  return new Set(ends.filter((id) => !ids.has(id)));
}
