import { useCallback } from "react";
import { fetchDifferences, fetchVersion, listVersions } from "../../api/calls";
import type { Graph } from "../../api/types";
import { useEditing } from "../interface/useEditor";

type Look = (before: string | null, after: string) => Promise<void>;

/** Shows a graph on the canvas, compared with an earlier one if there is one: numbers of versions, or `draft`. */
export function useLooking(): Look {
  const { store, ui, autosave } = useEditing();
  return useCallback(
    async (before, after) => {
      await autosave.flush();
      const { topology, document } = store.getState();
      const [graph, differences] = await Promise.all([
        after === "draft" ? document.graph : fetchGraph(topology, after),
        before === null ? null : fetchDifferences(topology, before, after),
      ]);
      ui.getState().lookAt({ before, after, graph, differences });
    },
    [store, ui, autosave],
  );
}

/** Raises if there is no such version, as the server words it. */
async function fetchGraph(topology: number, number: string): Promise<Graph> {
  const match = (await listVersions(topology)).find((one) => String(one.number) === number);
  if (match === undefined) {
    await fetchDifferences(topology, number, number); // says which versions there are
    throw new Error(`There is no version ${number}.`);
  }
  return (await fetchVersion(match.id)).graph;
}
