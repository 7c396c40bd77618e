import type { GraphNode } from "../../api/types";
import { makeFirstConfig } from "./configuring";
import { explainWhyNot, findFittingEdge, type Rules } from "../edges/connecting";
import { add, connect, findNode, joinEdits, type Document, type Edit, type Position } from "../document/document";
import { findFreeId } from "../document/naming";
import { listOutputs } from "../graph/ports";
import { findFreePlace, STEP } from "../layout/places";

/** An output to feed a new node. */
export interface From {
  readonly source: string;
  readonly port: string;
}

export interface Addition {
  readonly edit: Edit;
  readonly id: string;
}

/** Adds a node of an operator at a place, with legal edges from outputs. */
export function addOperator(
  operator: string,
  at: Position,
  document: Document,
  rules: Rules,
  from: readonly From[] = [],
): Addition {
  const id = findFreeId(operator, document.graph.nodes.map((node) => node.id));
  const position = { x: Math.round(at.x), y: Math.round(at.y) };
  const node: GraphNode = { id, operator, config: makeFirstConfig(rules.operators.get(operator)), position };
  const feed = (current: Document, { source, port }: From) => {
    const edge = findFittingEdge(source, port, id, current.graph, rules);
    return edge === null ? current : connect(edge)(current);
  };
  const edges = from.reduce(feed, add(node)(document)).graph.edges.filter(({ target }) => target === id);
  return { id, edit: (before) => connect(...edges)(add(node)(before)) };
}

/** Adds a node that reads a topic, with an edge into an input. Null if the input does not take what the node gives. */
export function addSourceBefore(
  target: string,
  port: string,
  operator: string,
  document: Document,
  rules: Rules,
): Addition | null {
  const { x, y } = findNode(document, target)?.position ?? { x: 0, y: 0 };
  const addition = addOperator(operator, findFreePlace({ x: x - STEP.x, y }, document.graph.nodes), document, rules);
  const { graph } = addition.edit(document);
  const added = graph.nodes.find(({ id }) => id === addition.id);
  const edge = listOutputs(added, rules.operators)
    .map(({ name }) => ({ source: addition.id, source_port: name, target, target_port: port }))
    .find((one) => explainWhyNot(one, graph, rules) === null);
  return edge === undefined ? null : { id: addition.id, edit: joinEdits(addition.edit, connect(edge)) };
}
