/** The geometry of the overview. All nodes are one path: an element for each of 1,000 would take too long. */
import type { Node } from "@xyflow/react";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The overview in px, and the air around what it shows. */
export const SIZE = { width: 200, height: 150 };
const AIR = 5;

type Item = Pick<Node, "position" | "width" | "height" | "measured">;

export function makeBox({ position: { x, y }, width, height, measured }: Item): Box {
  return { x, y, width: width ?? measured?.width ?? 0, height: height ?? measured?.height ?? 0 };
}

/** Rectangles as one path. */
export function drawBoxes(boxes: readonly Box[]): string {
  return boxes.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join("");
}

/** The part of the drawing that is on the screen. */
export function findView([x, y, zoom]: readonly [number, number, number], width: number, height: number): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/** The part of the drawing that the overview shows: everything and the view, in the overview's shape. */
export function frame(boxes: readonly Box[]): Box & { readonly scale: number } {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const across = Math.max(...boxes.map(({ x, width }) => x + width)) - left;
  const down = Math.max(...boxes.map(({ y, height }) => y + height)) - top;
  const scale = Math.max(across / (SIZE.width - 2 * AIR), down / (SIZE.height - 2 * AIR)) || 1;
  const [width, height] = [SIZE.width * scale, SIZE.height * scale];
  return { x: left - (width - across) / 2, y: top - (height - down) / 2, width, height, scale };
}
