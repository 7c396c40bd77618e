import { useMemo } from "react";
import { useVersionGraph } from "../../api/useGraph";
import type { Graph } from "../../api/types";
import { useLive } from "../../live/LiveContext";
import { unionOf } from "./comparing";
import { useDeployed } from "../interface/useDeployed";
import { useDocument, useInterface } from "../interface/useEditor";

const NOTHING: Graph = { nodes: [], edges: [] };

/** The graph of the version that runs, or ran last; null while there is none. */
export function useRunningGraph(): Graph | null {
  const { job } = useDeployed();
  const running = useLive(({ state }) => state?.standing.running_version ?? null);
  return useVersionGraph(running ?? job?.version ?? null);
}

/** The graph on the canvas: the draft, or read only a version. Who may not draw only reads the draft. */
export function useShownGraph(): { readonly graph: Graph; readonly isReadOnly: boolean } {
  const draft = useDocument((editor) => editor.document.graph);
  const view = useInterface((editor) => editor.view);
  const running = useRunningGraph();
  const isFrozen = useDocument((editor) => editor.frozen !== null);
  const looked = useInterface((editor) => editor.looked);
  const compared = useMemo(() => looked && unionOf(looked), [looked]);
  const graph = compared ?? (view === "running" ? (running ?? NOTHING) : draft);
  return { graph, isReadOnly: isFrozen || view !== "draft" };
}
