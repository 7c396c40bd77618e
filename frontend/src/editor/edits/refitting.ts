/** Notes and frames after a new layout of their nodes. */
import type { Graph, GraphNote } from "../../api/types";
import { NODE } from "../layout/places";
import { meets } from "../layout/rects";
import { move, type Document, type Position } from "../document/document";
import { findAreaAround, findContents, listNotes, placeNote } from "./notes";

const AIR = 24;

/** Each frame surrounds its former nodes. A note that would cover a node goes above the graph. */
export function fitFrames(document: Document, before: Graph): Document {
  const frames = listNotes(before).filter(({ kind }) => kind === "frame");
  const result = frames.reduce((current, frame) => fitFrame(frame, before, current), document);
  const places = new Map<string, Position>();
  const areas = [...result.graph.nodes.map(({ position }) => ({ ...NODE, ...position }))];
  let left = Math.min(...areas.map(({ x }) => x));
  const top = Math.min(...areas.map(({ y }) => y), ...listNotes(result.graph).map(({ position }) => position.y));
  for (const { id, kind, position } of listNotes(result.graph)) {
    if (kind === "frame" || !areas.some((area) => meets(area, position))) continue;
    places.set(id, { x: left, y: top - AIR - position.height });
    left += position.width + AIR;
  }
  return places.size === 0 ? result : move(places)(result);
}

function fitFrame(frame: GraphNote, before: Graph, document: Document): Document {
  const nodes = new Set([...findContents(frame, before)].filter((id) => before.nodes.some((node) => node.id === id)));
  return nodes.size === 0 ? document : placeNote(frame.id, findAreaAround(nodes, document.graph))(document);
}
