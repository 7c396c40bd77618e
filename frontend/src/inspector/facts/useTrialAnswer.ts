import { useCallback, useMemo } from "react";
import type { Document, Graph } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { makeContentKey } from "../../editor/document/contentKey";
import { useCluster } from "../../editor/interface/useCluster";
import { useDocument } from "../../editor/interface/useEditor";

const SETTLED_MS = 700;

type Ask<T> = (document: Document, node: string, cluster: string) => Promise<T>;

/** The answer of a trial up to a node, after each edit again. Null if a trial is impossible now. */
export function useTrialAnswer<T>(id: string, graph: Graph, ask: Ask<T>): T | null {
  const schemas = useDocument(({ document }) => document.schemas);
  const isWrong = useDocument(({ issuesByNode }) => (issuesByNode.get(id)?.length ?? 0) > 0);
  const cluster = useCluster();
  const contentKey = useStableValue(useMemo(() => makeContentKey({ graph, schemas }), [graph, schemas]), SETTLED_MS);
  const load = useCallback(
    async () => (isWrong ? null : { contentKey, answer: await ask(JSON.parse(contentKey) as Document, id, cluster) }),
    [isWrong, ask, contentKey, id, cluster],
  );
  const { data, refusal } = useResource(load);
  return refusal === null && data?.contentKey === contentKey ? data.answer : null;
}
