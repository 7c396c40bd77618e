/** The graph as an SVG with a legend. It contains its colours, so that it looks the same everywhere. */
import type { Graph, GraphNote } from "../api/types";
import { NODE } from "../editor/layout/places";
import { makeEdgeKey } from "../editor/document/document";
import { findEnds, findLanes } from "../editor/layout/lanes";
import { listNotes } from "../editor/edits/notes";
import { findShapes } from "../editor/layout/shape";
import { listEdgeLooks, type EdgeLook } from "../editor/graph/edges";
import { findNodeKind, KINDS, nameKindClass } from "../editor/graph/kinds";
import { drawLine } from "../editor/graph/paths";
import type { Operators } from "../editor/graph/ports";
import { shorten } from "../editor/graph/shorten";
import { summarize } from "./nodes/summarize";

/** The colour of one of the page's tokens. */
type Colour = (token: string) => string;

interface PictureContent {
  readonly graph: Graph;
  readonly operators: Operators;
  readonly colour: Colour;
  /** Text on nodes beside their operator, by their ids. */
  readonly numbers: ReadonlyMap<string, string>;
}

const AIR = 24;
const LEGEND = 28;
/** Number of letters that fit a node in the two sizes of its text. */
const LETTERS = { name: 22, does: 28 };

/** Null for an empty graph. */
export function drawPicture({ graph, operators, colour, numbers }: PictureContent): string | null {
  const shapes = findShapes(graph, operators);
  const heightOf = (id: string) => shapes.get(id)?.height ?? NODE.height;
  const areas = [
    ...graph.nodes.map(({ id, position: { x, y } }) => ({ x, y, width: NODE.width, height: heightOf(id) })),
    ...listNotes(graph).map(({ position }) => position),
  ];
  if (areas.length === 0) return null;
  const looks = listEdgeLooks(graph, operators);
  const lanes = findLanes(graph, shapes);
  const places = new Map(graph.nodes.map(({ id, position }) => [id, position]));
  const edges = graph.edges.map((edge, index) => {
    const ends = findEnds(edge, places, shapes);
    if (ends === null) return "";
    const lane = lanes.get(makeEdgeKey(edge)) ?? null;
    return drawEdgeLine(drawLine(ends, lane).d, looks[index] ?? "stream", colour);
  });
  const nodes = graph.nodes.map((node) => {
    const border = node.colour === undefined ? colour("outline") : colour(`tint-${node.colour}`);
    const dash = node.bypassed === true ? ' stroke-dasharray="4 3"' : "";
    const figures = numbers.get(node.id);
    const operator = operators.get(node.operator);
    const kind = colour(nameKindClass(findNodeKind(node, graph, operators)));
    const [height, does] = [heightOf(node.id), `${node.operator} ${summarize(node, operator)}`];
    return (
      `<g transform="translate(${node.position.x} ${node.position.y})">` +
      `<rect width="${NODE.width}" height="${height}" rx="7" fill="${colour("panel")}" stroke="${border}"${dash}/>` +
      `<rect y="6" width="3" height="${height - 12}" fill="${kind}"/>` +
      drawText(12, height / 2 - 8, shorten(node.id, LETTERS.name), colour("ink"), 'font-size="12" font-weight="600"') +
      drawText(12, height / 2 + 8, shorten(does.trim(), LETTERS.does), kind) +
      (figures === undefined ? "" : drawText(12, height / 2 + 24, figures, colour("quiet"))) +
      "</g>"
    );
  });
  const left = Math.min(...areas.map(({ x }) => x)) - AIR;
  const top = Math.min(...areas.map(({ y }) => y)) - AIR;
  const legend = drawLegend(looks, colour);
  const width = Math.max(...areas.map((area) => area.x + area.width), left + legend.width) + AIR - left;
  const bottom = Math.max(...areas.map((area) => area.y + area.height)) + AIR;
  const height = bottom + LEGEND - top;
  const [frames, notes] = (["frame", "note"] as const).map((kind) =>
    listNotes(graph).flatMap((note) => (note.kind === kind ? [drawNoteBox(note, colour)] : [])),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" ` +
    `width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="10">` +
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colour("ground")}"/>` +
    [...(frames ?? []), ...edges, ...nodes, ...(notes ?? [])].join("") +
    `<g transform="translate(${left + AIR} ${bottom})">${legend.markup}</g></svg>\n`
  );
}

function drawEdgeLine(d: string, look: EdgeLook, colour: Colour): string {
  const isDouble = look === "table" || look === "global";
  const width = isDouble ? 4.5 : look === "group" ? 1 : 1.5;
  const dash = look === "global" ? ' stroke-dasharray="6 3"' : "";
  const line = `<path d="${d}" fill="none" stroke="${colour(nameKindClass(look))}" stroke-width="${width}"${dash}/>`;
  return isDouble ? `${line}<path d="${d}" fill="none" stroke="${colour("ground")}" stroke-width="1.8"/>` : line;
}

/** A note with its first lines as plain text, or a frame with its title. */
function drawNoteBox({ kind, text: content, colour: tint = "grey", position }: GraphNote, colour: Colour): string {
  const { x, y, width, height } = position;
  const fill = colour(`tint-${tint}`);
  const room = Math.floor((width - 16) / 5.5);
  const most = kind === "frame" ? 1 : Math.floor((height - 8) / 14);
  const lines = content.split("\n").slice(0, most);
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7" fill="${fill}" ` +
    `fill-opacity="0.12" stroke="${fill}"/>` +
    lines.map((line, row) => drawText(x + 8, y + 14 + row * 14, shorten(line, room), colour("ink"))).join("")
  );
}

/** The kinds of edges in the picture. */
function drawLegend(looks: readonly EdgeLook[], colour: Colour) {
  const items = [...new Set(looks)].map((look) => ({
    sign: drawEdgeLine("M0,-4H22", look, colour),
    width: 28,
    word: KINDS[look].name,
  }));
  let x = 0;
  const entries = items.map(({ sign, width, word }) => {
    const item = `<g transform="translate(${x} 0)">${sign}${drawText(width, 0, word, colour("quiet"))}</g>`;
    x += width + word.length * 5.5 + 18;
    return item;
  });
  return { markup: entries.join(""), width: x + AIR };
}

function drawText(x: number, y: number, words: string, fill: string, look = ""): string {
  return `<text x="${x}" y="${y}" fill="${fill}" ${look}>${escapeXml(words)}</text>`;
}

/** Control characters, and half a character at the end of a shortened text, would make the whole picture unreadable. */
const NO_XML = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

function escapeXml(words: string): string {
  return words.replaceAll(NO_XML, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
