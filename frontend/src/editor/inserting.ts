import { fitting, whyNot, type Rules } from "./connecting";
import { connect, edgeKey, remove, type Document } from "./document";

/** A node set into a wire: fed by its source, feeding its target. Where it does not fit, the wire stays as it is. */
export function insertedInto(document: Document, id: string, wire: string | null, rules: Rules): Document {
  const edge = document.graph.edges.find((one) => edgeKey(one) === wire);
  const node = document.graph.nodes.find((one) => one.id === id);
  const output = rules.operators.get(node?.operator ?? "")?.outputs[0]?.name;
  if (edge === undefined || output === undefined) return document;
  const open = remove(new Set(), new Set([edgeKey(edge)]))(document);
  const into = fitting(edge.source, edge.source_port, id, open.graph, rules);
  if (into === null) return document;
  const fed = connect(into)(open);
  const onwards = { ...edge, source: id, source_port: output };
  return whyNot(onwards, fed.graph, rules) === null ? connect(onwards)(fed) : document;
}
