import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useMemo } from "react";
import { useSides } from "../../editor/interface/sides";
import { fitView, openView, type Rect } from "./fit";

/** The controls of the canvas, with their margin. */
const CONTROLS = 48;

/** The part of the canvas' bottom under the sample feed's panel, or else under the controls. */
function measureCover(): number {
  const panel = document.querySelector(".canvas > .sample-panel")?.getBoundingClientRect().height ?? 0;
  return Math.max(CONTROLS, panel === 0 ? 0 : panel + CONTROLS / 2);
}

interface Fitting {
  /** Brings everything into view. */
  readonly fit: () => void;
  /** Brings everything into view that is legible: the selection, else the start of the graph. */
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
      return { width: width - useSides.getState().covered, height: height - measureCover() };
    };
    const fit = () => {
      const nodes = flow.getNodes();
      if (api.getState().width > 0 && nodes.length > 0) {
        void flow.setViewport(fitView(flow.getNodesBounds(nodes), measureRoom()));
      }
    };
    const open = () => {
      const nodes = flow.getNodes();
      if (api.getState().width === 0 || nodes.length === 0) return;
      const selection = nodes.filter(({ selected }) => selected === true);
      const around = selection.length === 0 ? null : flow.getNodesBounds(selection);
      void flow.setViewport(openView(flow.getNodesBounds(nodes), around, measureRoom()));
    };
    return { fit, open, measureRoom };
  }, [flow, api]);
}
