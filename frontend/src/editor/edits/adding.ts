import type { GraphNode } from "../../api/types";
import { makeFirstConfig } from "./configuring";
import { findFittingEdge, type Rules } from "../edges/connecting";
import { add, connect, type Document, type Edit, type Position } from "../document/document";
import { findFreeId } from "../document/naming";

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
