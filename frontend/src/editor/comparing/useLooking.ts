import { useCallback } from "react";
import { fetchDifferences, fetchVersion, listVersions } from "../../api/calls";
import type { Graph } from "../../api/types";
import { useEditing } from "../interface/useEditor";

type Look = (before: string | null, after: string, isWanted?: () => boolean) => Promise<void>;

/**
 * Shows a graph on the canvas, or compares it with an earlier one. Takes version numbers or `draft`.
 * Shows nothing if it is no longer wanted once it is loaded.
 */
export function useLooking(): Look {
  const { store, ui, autosave } = useEditing();
  return useCallback(
    async (before, after, isWanted = () => true) => {
      await autosave.flush();
      const { topology, document } = store.getState();
      const [graph, differences] = await Promise.all([
        after === "draft" ? document.graph : fetchGraph(topology, after),
        before === null ? null : fetchDifferences(topology, before, after),
      ]);
      if (isWanted()) ui.getState().lookAt({ before, after, graph, differences });
    },
    [store, ui, autosave],
  );
}

/** Throws the server's message if the version does not exist. */
async function fetchGraph(topology: number, number: string): Promise<Graph> {
  const match = (await listVersions(topology)).find((one) => String(one.number) === number);
  if (match === undefined) {
    await fetchDifferences(topology, number, number); // names the existing versions
    throw new Error(`There is no version ${number}.`);
  }
  return (await fetchVersion(match.id)).graph;
}
