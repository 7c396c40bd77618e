import { useEffect, useState } from "react";
import type { Graph } from "./types";
import { fetchDraft, fetchVersion } from "./calls";

const AGAIN_MS = 5_000;
const versions = new Map<number, Promise<Graph>>();

/** The graph of a version, fetched once because it never changes. Null until it arrives, and until it was wanted. */
export function useVersionGraph(id: number | null, isWanted = true): Graph | null {
  return useAnswer(id, isWanted, fetchGraphOfVersion);
}

/** The draft's graph, as it was when it was last wanted. Null until it arrives. */
export function useDraftGraph(topology: number | null, isWanted = true): Graph | null {
  return useAnswer(topology, isWanted, fetchGraphOfDraft);
}

/** Leaves out an answer that fails, because its owner says more. Asks again later. */
function useAnswer(id: number | null, isWanted: boolean, ask: (id: number) => Promise<Graph>): Graph | null {
  const [answer, setAnswer] = useState<{ readonly id: number; readonly graph: Graph } | null>(null);
  useEffect(() => {
    if (id === null || !isWanted) return;
    let isOver = false;
    let timer: number | undefined;
    const look = () => {
      ask(id).then(
        (graph) => {
          if (!isOver) setAnswer({ id, graph });
        },
        () => {
          if (!isOver) timer = window.setTimeout(look, AGAIN_MS);
        },
      );
    };
    look();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [id, isWanted, ask]);
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
