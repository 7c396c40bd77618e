import { listOutputs } from "../graph/ports";
import { explainWhyNot, findFittingEdge, type Rules } from "../edges/connecting";
import { connect, makeEdgeKey, remove, type Document } from "../document/document";
import { makeRoom } from "../layout/room";

/** Puts a node into an edge and makes room for it. Changes nothing if it does not fit. */
export function putIntoEdge(document: Document, id: string, key: string | null, rules: Rules): Document {
  const edge = document.graph.edges.find((one) => makeEdgeKey(one) === key);
  const node = document.graph.nodes.find((one) => one.id === id);
  if (edge === undefined) return document;
  const open = remove(new Set(), new Set([makeEdgeKey(edge)]))(document);
  const into = findFittingEdge(edge.source, edge.source_port, id, open.graph, rules);
  if (into === null) return document;
  const withInput = connect(into)(open);
  const onwards = listOutputs(node, rules.operators)
    .map(({ name }) => ({ ...edge, source: id, source_port: name }))
    .find((each) => explainWhyNot(each, withInput.graph, rules) === null);
  return onwards === undefined ? document : makeRoom(id, edge)(connect(onwards)(withInput));
}
