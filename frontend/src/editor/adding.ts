import type { GraphEdge, GraphNode } from "../api/types";
import { firstConfig } from "./configuring";
import { fitting, type Rules } from "./connecting";
import { add, connect, type Document, type Edit, type Position } from "./document";
import { freeId } from "./naming";

/** The size of a node on the canvas, in pixels at zoom 1; one with many ports is higher. */
export const NODE = { width: 176, height: 64 };
const STEP = { x: NODE.width + 48, y: NODE.height + 32 };

/** An output a new node is to be fed by. */
export interface From {
  readonly source: string;
  readonly port: string;
}

export interface Added {
  readonly edit: Edit;
  readonly id: string;
}

/** A new node of an operator at a place, fed by an output where that is legal. */
export function addOperator(
  operator: string,
  at: Position,
  document: Document,
  rules: Rules,
  from: From | null = null,
): Added {
  const id = freeId(operator, document.graph.nodes.map((node) => node.id));
  const position = { x: Math.round(at.x), y: Math.round(at.y) };
  const node: GraphNode = { id, operator, config: firstConfig(rules.operators.get(operator)), position };
  const drawn = add(node)(document);
  const edge = from === null ? null : fitting(from.source, from.port, id, drawn.graph, rules);
  return { id, edit: (before) => connect(...listed(edge))(add(node)(before)) };
}

/** Right of a node, at the first place that is free. */
export function placeBehind(node: GraphNode, nodes: readonly GraphNode[]): Position {
  const place = { x: node.position.x + STEP.x, y: node.position.y };
  while (nodes.some(({ position }) => overlaps(position, place))) place.y += STEP.y;
  return place;
}

function overlaps(one: Position, other: Position): boolean {
  return Math.abs(one.x - other.x) < NODE.width && Math.abs(one.y - other.y) < NODE.height;
}

function listed(edge: GraphEdge | null): readonly GraphEdge[] {
  return edge === null ? [] : [edge];
}
