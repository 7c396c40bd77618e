import { useCallback } from "react";
import { checkDocument } from "../../api/calls";
import type { CheckResult } from "../../api/checkResult";
import type { Graph } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useDocument, useEditing } from "../../editor/interface/useEditor";

/** The types at each port of each node of the shown graph, or null until known. */
export function useFlows(graph: Graph, isReadOnly: boolean): CheckResult["nodes"] | null {
  const draftFlows = useDocument(({ checkResult }) => checkResult?.nodes ?? null);
  const graphFlows = useFlowsOf(isReadOnly ? graph : null);
  return isReadOnly ? graphFlows : draftFlows;
}

/** The checks of the draft do not cover a deployed graph: this asks about it separately. */
function useFlowsOf(graph: Graph | null): CheckResult["nodes"] | null {
  const { store } = useEditing();
  const ask = useCallback(async () => {
    if (graph === null) return null;
    const { nodes } = await checkDocument({ graph, schemas: store.getState().document.schemas });
    return { graph, nodes };
  }, [graph, store]);
  const { data } = useResource(ask);
  return data?.graph === graph ? data.nodes : null;
}
