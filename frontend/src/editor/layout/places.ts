/** Places of nodes: their sizes, and free places for new ones. */
import type { GraphNode } from "../../api/types";
import type { Position } from "../document/document";

/** The size of a node on the canvas, in pixels at zoom 1. A node with many ports is higher. */
export const NODE = { width: 192, height: 64 };
/** The distance from a node to the next one after it, and below it. */
export const STEP = { x: NODE.width + 48, y: NODE.height + 32 };
const AIR = 16;

/** The first free place right of a node. */
export function findPlaceBehind({ position }: GraphNode, nodes: readonly GraphNode[]): Position {
  return findFreePlace({ x: position.x + STEP.x, y: position.y }, nodes);
}

/** The place itself, or the first free one below it. So far away that rounding takes the step away, none is free. */
export function findFreePlace({ x, y }: Position, nodes: readonly GraphNode[]): Position {
  const place = { x, y };
  const isTaken = () => nodes.some(({ position }) => overlaps(position, place));
  while (place.y + STEP.y > place.y && isTaken()) place.y += STEP.y;
  return place;
}

/** Whether nodes at these places would overlap or nearly touch. */
export function overlaps(one: Position, other: Position): boolean {
  return Math.abs(one.x - other.x) < NODE.width + AIR && Math.abs(one.y - other.y) < NODE.height + AIR;
}
