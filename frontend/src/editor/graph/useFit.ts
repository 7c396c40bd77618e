import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback } from "react";
import { fitView } from "./fit";

/** The controls of the canvas, with their margin. */
const CONTROLS = 48;

/** The part of the canvas' bottom under the sample feed's panel, or else under the controls. */
function measureCover(): number {
  const panel = document.querySelector(".canvas > .sample-panel")?.getBoundingClientRect().height ?? 0;
  return Math.max(CONTROLS, panel === 0 ? 0 : panel + CONTROLS / 2);
}

/** Brings everything into view, or as much as is legible: the selection, else the start of the graph. */
export function useFit(): () => void {
  const flow = useReactFlow();
  const api = useStoreApi();
  return useCallback(() => {
    const { width, height } = api.getState();
    const nodes = flow.getNodes();
    if (width === 0 || nodes.length === 0) return;
    const selection = nodes.filter(({ selected }) => selected === true);
    const around = selection.length === 0 ? null : flow.getNodesBounds(selection);
    void flow.setViewport(fitView(flow.getNodesBounds(nodes), around, { width, height: height - measureCover() }));
  }, [flow, api]);
}
