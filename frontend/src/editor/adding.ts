import type { GraphNode } from "../api/types";
import { firstConfig } from "./configuring";
import { fitting, type Rules } from "./connecting";
import { add, connect, type Document, type Edit, type Position } from "./document";
import { freeId } from "./naming";

/** The size of a node on the canvas, in pixels at zoom 1; one with many ports is higher. */
export const NODE = { width: 176, height: 64 };
/** From a node to the next one behind it, and below it. */
export const STEP = { x: NODE.width + 48, y: NODE.height + 32 };
const AIR = 16;

/** An output a new node is to be fed by. */
export interface From {
  readonly source: string;
  readonly port: string;
}

export interface Added {
  readonly edit: Edit;
  readonly id: string;
}

/** A new node of an operator at a place, fed by outputs where that is legal. */
export function addOperator(
  operator: string,
  at: Position,
  document: Document,
  rules: Rules,
  from: readonly From[] = [],
): Added {
  const id = freeId(operator, document.graph.nodes.map((node) => node.id));
  const position = { x: Math.round(at.x), y: Math.round(at.y) };
  const node: GraphNode = { id, operator, config: firstConfig(rules.operators.get(operator)), position };
  const feed = (drawn: Document, { source, port }: From) => {
    const edge = fitting(source, port, id, drawn.graph, rules);
    return edge === null ? drawn : connect(edge)(drawn);
  };
  const edges = from.reduce(feed, add(node)(document)).graph.edges.filter(({ target }) => target === id);
  return { id, edit: (before) => connect(...edges)(add(node)(before)) };
}

/** Right of a node, at the first place that is free. */
export function placeBehind({ position }: GraphNode, nodes: readonly GraphNode[]): Position {
  return freePlace({ x: position.x + STEP.x, y: position.y }, nodes);
}

/** A place or the first free one below it. */
export function freePlace({ x, y }: Position, nodes: readonly GraphNode[]): Position {
  const place = { x, y };
  while (nodes.some(({ position }) => overlaps(position, place))) place.y += STEP.y;
  return place;
}

/** Whether nodes at these places would overlap, or nearly touch. */
export function overlaps(one: Position, other: Position): boolean {
  return Math.abs(one.x - other.x) < NODE.width + AIR && Math.abs(one.y - other.y) < NODE.height + AIR;
}
