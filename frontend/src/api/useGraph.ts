import { useEffect, useState } from "react";
import type { Graph } from "./types";
import { fetchDraft, fetchVersion } from "./calls";

const AGAIN_MS = 5_000;
const versions = new Map<number, Promise<Graph>>();

/** The graph of a version, fetched once because it never changes. Null until it arrives. */
export function useVersionGraph(id: number | null): Graph | null {
  return useAnswer(id, fetchGraphOfVersion);
}

/** The draft's graph, or null until it arrives. */
export function useDraftGraph(topology: number | null): Graph | null {
  return useAnswer(topology, fetchGraphOfDraft);
}

/** Leaves out an answer that fails, because its owner says more. Asks again later. */
function useAnswer(id: number | null, ask: (id: number) => Promise<Graph>): Graph | null {
  const [answer, setAnswer] = useState<{ readonly id: number; readonly graph: Graph } | null>(null);
  useEffect(() => {
    let isWanted = true;
    if (id === null) return;
    let timer: number | undefined;
    const look = () => {
      ask(id).then(
        (graph) => {
          if (isWanted) setAnswer({ id, graph });
        },
        () => {
          if (isWanted) timer = window.setTimeout(look, AGAIN_MS);
        },
      );
    };
    look();
    return () => {
      isWanted = false;
      window.clearTimeout(timer);
    };
  }, [id, ask]);
  return answer?.id === id ? answer.graph : null;
}

function fetchGraphOfVersion(id: number): Promise<Graph> {
  const promise = versions.get(id) ?? fetchVersion(id).then((answer) => answer.graph);
  versions.set(id, promise);
  promise.catch(() => versions.delete(id));
  return promise;
}

async function fetchGraphOfDraft(topology: number): Promise<Graph> {
  return (await fetchDraft(topology)).graph;
}
