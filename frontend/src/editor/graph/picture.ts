/** The geometry of a small picture of a graph: boxes and edges in one coordinate space, from 0,0. */

import { layOut, type GraphShape } from "./layered";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Gaps {
  readonly column: number;
  readonly lane: number;
}

export interface Box extends Size {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly source: string;
  readonly target: string;
  readonly path: string;
}

export interface PictureGeometry extends Size {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
}

/** Every node as a box of `box` size, `gaps` apart. It ignores the places on the canvas and stays small. */
export function layOutPicture(graph: GraphShape, box: Size, gaps: Gaps): PictureGeometry {
  const cells = layOut(graph);
  const boxes = graph.nodes.map(({ id }) => {
    const { column, lane } = cells.get(id) ?? { column: 0, lane: 0 };
    return { id, x: column * (box.width + gaps.column), y: lane * (box.height + gaps.lane), ...box };
  });
  const byId = new Map(boxes.map((one) => [one.id, one]));
  const edges = graph.edges.flatMap(({ source, target }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    return from && to ? [{ source, target, path: drawEdgePath(from, to) }] : [];
  });
  return { boxes, edges, ...measureExtent(boxes) };
}

/** A curve from the right of a box to the left of the next. */
function drawEdgePath(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  if (y1 === y2) return `M${x1},${y1}H${x2}`;
  const bend = Math.max(4, (x2 - x1) / 2);
  return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}

function measureExtent(boxes: readonly Box[]): Size {
  return {
    width: Math.max(0, ...boxes.map((box) => box.x + box.width)),
    height: Math.max(0, ...boxes.map((box) => box.y + box.height)),
  };
}
