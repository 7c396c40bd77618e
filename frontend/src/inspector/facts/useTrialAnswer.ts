import { useCallback } from "react";
import type { Document, Graph } from "../../api/types";
import { useResource } from "../../api/useResource";
import type { DocumentValues } from "../../editor/document/documentStore";
import { useCluster } from "../../editor/interface/useCluster";
import { useContentKey } from "../../editor/interface/useContentKey";
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

type Checked = Pick<DocumentValues, "checkedKey" | "checkResult" | "issuesByNode">;

/**
 * Whether the content was checked, without an issue up to a node. The server refuses a trial of any other content,
 * which the console of the browser would show as an error.
 */
export function canTry(
  { checkedKey, checkResult, issuesByNode }: Checked,
  contentKey: string,
  graph: Graph,
  id: string,
): boolean {
  if (checkedKey !== contentKey || checkResult === null || !(id in checkResult.nodes)) return false;
  return !listUpstream(graph, id).some((one) => issuesByNode.has(one));
}

/** The answer of a trial up to a node, after each edit again. Null if a trial is impossible now. */
export function useTrialAnswer<T>(id: string, graph: Graph, ask: Ask<T>): T | null {
  const cluster = useCluster();
  const contentKey = useContentKey(graph, SETTLED_MS);
  const canAsk = useDocument((state) => canTry(state, contentKey, graph, id));
  const load = useCallback(
    async () => (canAsk ? { contentKey, answer: await ask(JSON.parse(contentKey) as Document, id, cluster) } : null),
    [canAsk, ask, contentKey, id, cluster],
  );
  const { data, refusal } = useResource(load);
  return refusal === null && data?.contentKey === contentKey ? data.answer : null;
}
