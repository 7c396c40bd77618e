/** The view after a selection: the smallest move that shows the node. */
import { NODE } from "../../editor/layout/places";
import type { Position } from "../../editor/document/document";

export interface View extends Position {
  readonly zoom: number;
  readonly width: number;
  readonly height: number;
}

/** Space between a node and the edge of the canvas, in pixels of the screen. */
const AIR = 48;

/** The view that shows a node at a place, or null if it already does. */
export function follow(view: View, place: Position): Position | null {
  const x = fitOffset(view.x, place.x * view.zoom, NODE.width * view.zoom, view.width);
  const y = fitOffset(view.y, place.y * view.zoom, NODE.height * view.zoom, view.height);
  return x === view.x && y === view.y ? null : { x, y };
}

function fitOffset(offset: number, start: number, length: number, room: number): number {
  const [from, to] = [start + offset, start + offset + length];
  if (from < 0) return AIR - start;
  if (to > room) return Math.max(AIR, room - AIR - length) - start;
  return offset;
}
