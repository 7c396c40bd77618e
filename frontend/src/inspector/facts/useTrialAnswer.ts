import { useCallback, useMemo } from "react";
import type { Document, Graph } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { makeContentKey } from "../../editor/document/contentKey";
import { useCluster } from "../../editor/interface/useCluster";
import { useDocument } from "../../editor/interface/useEditor";

const SETTLED_MS = 700;

type Ask<T> = (document: Document, node: string, cluster: string) => Promise<T>;

/** A node and all before it. */
function listUpstream({ edges }: Graph, id: string): readonly string[] {
  const found = new Set([id]);
  for (const one of found) {
    for (const { source, target } of edges) if (target === one) found.add(source);
  }
  return [...found];
}

/** The answer of a trial up to a node, after each edit again. Null if a trial is impossible now. */
export function useTrialAnswer<T>(id: string, graph: Graph, ask: Ask<T>): T | null {
  const schemas = useDocument(({ document }) => document.schemas);
  // the server refuses a graph with issues, which the console of the browser would show as an error
  const isChecked = useDocument(({ checkResult }) => checkResult !== null && id in checkResult.nodes);
  const wrongIds = useDocument(({ issuesByNode }) => issuesByNode);
  const isWrong = !isChecked || listUpstream(graph, id).some((one) => wrongIds.has(one));
  const cluster = useCluster();
  const contentKey = useStableValue(useMemo(() => makeContentKey({ graph, schemas }), [graph, schemas]), SETTLED_MS);
  const load = useCallback(
    async () => (isWrong ? null : { contentKey, answer: await ask(JSON.parse(contentKey) as Document, id, cluster) }),
    [isWrong, ask, contentKey, id, cluster],
  );
  const { data, refusal } = useResource(load);
  return refusal === null && data?.contentKey === contentKey ? data.answer : null;
}
