/** Asks the cluster to check the graph's topics, shortly after an edit of a node with a topic. */
import { listTopicIssues } from "../../api/calls";
import { keepAsking } from "./asking";
import type { Document } from "../document/document";
import { isError, type DocumentStore } from "../document/documentStore";

const PAUSE_MS = 400;
const AGAIN_MS = 5_000;

/** Checks against that cluster until the returned function is called. */
export function keepCheckingTopics(editor: DocumentStore, cluster: string): () => void {
  return keepAsking(editor, {
    about: describeTopicNodes,
    pauseMs: PAUSE_MS,
    ask: async (document, isCurrent) => {
      const issues = await listTopicIssues(cluster, document).catch(() => null);
      // a cluster that does not answer says nothing of topics
      if (isCurrent()) editor.getState().setTopicIssues(issues ?? []);
      return issues !== null && !issues.some(isError) ? null : AGAIN_MS; // someone may create the topic
    },
  });
}

/** The nodes that may read or write topics, as text: each request reads the topics. */
function describeTopicNodes({ graph }: Document): string {
  const nodes = graph.nodes.filter(({ config }) => "topic" in config || "pattern" in config || "topics" in config);
  return JSON.stringify(nodes.map(({ id, operator, config }) => [id, operator, config]));
}
