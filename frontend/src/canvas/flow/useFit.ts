import { useReactFlow, useStoreApi, type Node } from "@xyflow/react";
import { useMemo } from "react";
import { useSides } from "../../editor/interface/sides";
import { fitView, openView, type Rect, type View } from "./fit";

/** The controls of the canvas, with their margin. */
const CONTROLS = 48;

/** The height of an open panel of the sample feed, once it says what became of the records. */
const OPEN_PANEL = 204;

/** The part of the canvas' bottom under the sample feed's panel, or else under the controls. */
function measureCover(): number {
  const panel = document.querySelector<HTMLElement>(".canvas > .sample-panel");
  if (panel === null) return CONTROLS;
  const isOpen = panel.querySelector(".body") !== null;
  return Math.max(panel.offsetHeight, isOpen ? OPEN_PANEL : 0) + CONTROLS / 2;
}

/** The part of the canvas' top under the legend. */
function measureTop(): number {
  const legend = document.querySelector<HTMLElement>(".canvas > .legend");
  return legend === null ? 0 : legend.offsetTop + legend.offsetHeight;
}

interface Fitting {
  /** Brings everything into view. */
  readonly fit: () => void;
  /** Brings the selection into view, or everything if nothing is selected. */
  readonly fitSelection: () => void;
  /** Brings everything into view, if it is legible so. Else the selection, or the start of the graph. */
  readonly open: () => void;
  /** The part of the canvas that nothing covers, in pixels. */
  readonly measureRoom: () => Pick<Rect, "width" | "height">;
}

export function useFit(): Fitting {
  const flow = useReactFlow();
  const api = useStoreApi();
  return useMemo(() => {
    const measureRoom = () => {
      const { width, height } = api.getState();
      return { width: width - useSides.getState().covered, height: height - measureCover() - measureTop() };
    };
    const showBelow = (view: View) => void flow.setViewport({ ...view, y: view.y + measureTop() });
    const show = (nodes: Node[]) => {
      if (api.getState().width > 0 && nodes.length > 0) {
        showBelow(fitView(flow.getNodesBounds(nodes), measureRoom()));
      }
    };
    const fit = () => show(flow.getNodes());
    const fitSelection = () => {
      const nodes = flow.getNodes();
      const selection = nodes.filter(({ selected }) => selected === true);
      show(selection.length === 0 ? nodes : selection);
    };
    const open = () => {
      const nodes = flow.getNodes();
      if (api.getState().width === 0 || nodes.length === 0) return;
      const selection = nodes.filter(({ selected }) => selected === true);
      const around = selection.length === 0 ? null : flow.getNodesBounds(selection);
      const rects = nodes.map((node) => flow.getNodesBounds([node]));
      showBelow(openView(rects, around, measureRoom(), flow.getZoom()));
    };
    return { fit, fitSelection, open, measureRoom };
  }, [flow, api]);
}
