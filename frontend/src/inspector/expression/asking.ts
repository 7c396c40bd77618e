/** Questions to the server about expressions. It hears of the nodes that decide the answer, and each question once. */
import { checkExpression } from "../../api/calls";
import type { ExpressionCheck, Graph } from "../../api/types";
import type { Document } from "../../editor/document/document";
import { findReach } from "../../editor/graph/reaching";
import { findTopics } from "../../editor/graph/topics";

/** By document, so that the answers go with it. */
const answers = new WeakMap<Document, Map<string, Promise<ExpressionCheck>>>();

/** What the server says of a text in a field of a node. The same question about one document is asked once. */
export function askOnce(document: Document, node: string, field: string, text: string): Promise<ExpressionCheck> {
  const known = answers.get(document) ?? new Map<string, Promise<ExpressionCheck>>();
  answers.set(document, known);
  const question = JSON.stringify([node, field, text]);
  const asked = known.get(question);
  if (asked !== undefined) return asked;
  const answer = checkExpression(keepDeciding(document, node), node, field, text);
  known.set(question, answer);
  answer.catch(() => known.delete(question)); // a server that is back is asked again
  return answer;
}

/** Only the nodes that decide what arrives at a node: those before it, and the writers of topics that they read. */
export function keepDeciding({ graph, schemas }: Document, node: string): Document {
  const written = [...graph.edges, ...listThroughTopics(graph)];
  const ids = findReach({ ...graph, edges: written }, [node], "upstream");
  return {
    graph: {
      nodes: graph.nodes.filter(({ id }) => ids.has(id)),
      edges: graph.edges.filter(({ target }) => ids.has(target)),
    },
    schemas: Object.fromEntries(Object.entries(schemas).filter(([id]) => ids.has(id))),
  };
}

/** An edge from each writer of a topic to each source of it: what is known of the topic may come from there. */
function listThroughTopics({ nodes, edges }: Graph): Graph["edges"] {
  const fed = new Set(edges.map(({ target }) => target));
  const writers = nodes
    .filter(({ id }) => fed.has(id))
    .flatMap((sink) => findTopics(sink).map((topic) => ({ sink: sink.id, topic })));
  const written = writers.map(({ topic }) => topic);
  const sources = nodes.filter(({ id }) => !fed.has(id));
  return sources.flatMap((source) => {
    const read = new Set(findTopics(source, written));
    return writers
      .filter(({ topic }) => read.has(topic))
      .map(({ sink }) => ({ source: sink, source_port: "", target: source.id, target_port: "" }));
  });
}
