/** The view after a selection or an addition: the smallest move that shows it whole. */
import type { Position } from "../../editor/document/document";
import { meets, type Rect } from "../../editor/layout/rects";
import { fitView, LEGIBLE, type View } from "../flow/fit";

/** What of the screen shows the canvas. */
export interface Seen {
  /** The part that no panel covers, at all its width. */
  readonly room: Rect;
  /** The part beside the inspector, with panels over it. */
  readonly width: number;
  readonly height: number;
  readonly panels: readonly Rect[];
}

/** Space between a node and the edge of the room, in pixels of the screen. */
const AIR = 48;

/**
 * The view that shows a part of the graph whole, or null if it already does. It zooms out no further than is legible.
 */
export function follow(view: View, part: Rect, seen: Seen): View | null {
  const { zoom } = view;
  const at = { x: part.x * zoom + view.x, y: part.y * zoom + view.y };
  if (isSeen({ ...at, width: part.width * zoom, height: part.height * zoom }, seen)) return null;
  const { room } = seen;
  const isTooLarge = part.width * zoom > room.width || part.height * zoom > room.height;
  const whole = fitView(part, room);
  if (isTooLarge && whole.zoom >= LEGIBLE) return { ...whole, y: whole.y + room.y };
  return { ...move(view, part, room), zoom };
}

function isSeen(part: Rect, { width, height, panels }: Seen): boolean {
  const isInside = part.x >= 0 && part.y >= 0 && part.x + part.width <= width && part.y + part.height <= height;
  return isInside && !panels.some((panel) => meets(part, panel));
}

function move({ x, y, zoom }: View, part: Rect, room: Rect): Position {
  return {
    x: fitOffset(x, part.x * zoom, part.width * zoom, room.x, room.width),
    y: fitOffset(y, part.y * zoom, part.height * zoom, room.y, room.height),
  };
}

/** What is longer than the room is shown from its start. */
function fitOffset(offset: number, start: number, length: number, low: number, room: number): number {
  const [from, to] = [start + offset, start + offset + length];
  if (from < low) return low + Math.min(AIR, Math.max(0, room - length) / 2) - start;
  if (to > low + room) return low + Math.max(Math.min(AIR, room / 2), room - AIR - length) - start;
  return offset;
}
