import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback } from "react";
import { fitView } from "./fit";

/** Brings everything into view, or as much as can be read: then what is selected, else the start of the drawing. */
export function useFit(): () => void {
  const flow = useReactFlow();
  const api = useStoreApi();
  return useCallback(() => {
    const { width, height } = api.getState();
    const nodes = flow.getNodes();
    if (width === 0 || nodes.length === 0) return;
    const chosen = nodes.filter(({ selected }) => selected === true);
    const around = chosen.length === 0 ? null : flow.getNodesBounds(chosen);
    void flow.setViewport(fitView(flow.getNodesBounds(nodes), around, { width, height }));
  }, [flow, api]);
}
