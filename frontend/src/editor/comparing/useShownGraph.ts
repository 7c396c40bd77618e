import { useMemo } from "react";
import { useVersionGraph } from "../../api/useGraph";
import type { Graph } from "../../api/types";
import { useLive } from "../../live/LiveContext";
import { withRemovals } from "./comparing";
import { useDeployment } from "../interface/useDeployment";
import { usePast } from "../interface/past";
import { useDocument, useInterface } from "../interface/useEditor";

const NOTHING: Graph = { nodes: [], edges: [] };

/** The graph of the running version, or of the last one. Null if there is none. */
export function useRunningGraph(): Graph | null {
  const { job } = useDeployment();
  const running = useLive(({ state }) => state?.jobStatus.running_version ?? null);
  return useVersionGraph(running ?? job?.version ?? null);
}

/** The graph on the canvas: the draft, or a version to read. Some users can only read the draft. */
export function useShownGraph(): { readonly graph: Graph; readonly isReadOnly: boolean } {
  const draft = useDocument((editor) => editor.document.graph);
  const view = useInterface((editor) => editor.view);
  const running = useRunningGraph();
  const past = useVersionGraph(usePast(({ batch }) => batch?.version_id ?? null)) ?? running;
  const isFrozen = useDocument((editor) => editor.whyReadOnly !== null);
  const versionView = useInterface((editor) => editor.versionView);
  const union = useMemo(() => versionView && withRemovals(versionView), [versionView]);
  const shown = { draft, running, past, version: draft }[view] ?? NOTHING;
  const graph = union ?? shown;
  return { graph, isReadOnly: isFrozen || view !== "draft" };
}
