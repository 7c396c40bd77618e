/** How to bring everything into view: with a margin, and at most at reading size. */
import { bound, type Rect } from "../../editor/layout/rects";

/** The smallest zoom at which a node can be read: its letters are 11 pixels high there (OperatorNode.css). */
export const LEGIBLE = 0.58;
/** The zoom for what is too large to be legible as a whole. A little less or more cuts through fewer nodes. */
const READABLE = 0.9;
const NEARLY_READABLE = Array.from({ length: 41 }, (_, step) => 0.75 + step / 100).toSorted(
  (one, other) => Math.abs(one - READABLE) - Math.abs(other - READABLE),
);
const MAX_ZOOM = 1.1;
/** The rim of the screen, with the buttons that fold its panels, in pixels. */
const RIM = 16;
const AIR = 0.06;
/** How far the view may zoom out so that the edge of the screen cuts through fewer nodes. */
const NEAR_ZOOM = 0.08;
/** The smallest zoom of the canvas. */
const MIN_ZOOM = 0.1;
/** Margin around a partial view, in pixels of the screen. */
const EDGE = 48;

export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** What is selected, and the nodes that edges join with it. */
export interface Chosen {
  readonly selection: Rect;
  readonly neighbours: readonly Rect[];
}

/** The view of everything. */
export function fitView(all: Rect, screen: Pick<Rect, "width" | "height">): View {
  return centre(all, null, screen, Math.max(MIN_ZOOM, fitZoom(all, screen)));
}

/**
 * The view of everything, if that is legible. Else the part around what is chosen, near the present zoom, or the
 * graph's start. The edge of the screen then cuts through as few nodes as possible.
 */
export function openView(
  nodes: readonly Rect[],
  chosen: Chosen | null,
  screen: Pick<Rect, "width" | "height">,
  zoom = READABLE,
): View {
  const all = bound(nodes);
  const whole = fitZoom(all, screen);
  if (whole >= LEGIBLE) return centre(all, null, screen, whole);
  if (chosen !== null) return viewAround(all, nodes, chosen, screen, zoom);
  const views = NEARLY_READABLE.map((near) => centre(all, null, screen, near));
  return findBest(views, (view) => [countCut(nodes, view, screen)]) ?? centre(all, null, screen, READABLE);
}

/** The view that shows the selection and most of its neighbours whole, with little change of the zoom. */
function viewAround(
  all: Rect,
  nodes: readonly Rect[],
  { selection, neighbours }: Chosen,
  screen: Pick<Rect, "width" | "height">,
  present: number,
): View {
  const most = Math.max(LEGIBLE, Math.min(READABLE, present));
  const around = bound([selection, ...neighbours]);
  const least = Math.max(LEGIBLE, Math.min(most - NEAR_ZOOM, fitZoom(around, screen)));
  const zooms = [most, (most + least) / 2, least];
  // a screen to each side: what is farther never shares the view with the selection
  const reach = { across: screen.width / least, down: screen.height / least };
  const near = nodes.filter(
    ({ x, y, width, height }) =>
      Math.abs(x - selection.x) < reach.across + width && Math.abs(y - selection.y) < reach.down + height,
  );
  // nodes stand in columns, so there are far fewer sides than nodes
  const starts = [...new Set(near.map(({ x }) => x))];
  const ends = [...new Set(near.map(({ x, width }) => x + width))];
  const views = zooms.flatMap((zoom) => {
    const middle = centre(all, selection, screen, zoom);
    const places = [...starts.map((x) => RIM - x * zoom), ...ends.map((x) => screen.width - RIM - x * zoom)];
    return [middle, ...places.map((x) => ({ ...middle, x }))];
  });
  const holds = views.filter((view) => isWhole(selection, view, screen));
  const rank = (view: View) => [
    neighbours.filter((node) => !isWhole(node, view, screen)).length,
    countCut(near, view, screen),
    most - view.zoom,
    Math.abs(view.x - centre(all, selection, screen, view.zoom).x),
  ];
  return findBest(holds, rank) ?? centre(all, selection, screen, most);
}

/** The first of those with the smallest rank, whose numbers count in their order. */
function findBest<Choice>(choices: readonly Choice[], rank: (choice: Choice) => readonly number[]): Choice | null {
  const ranked = choices.map((choice) => ({ choice, numbers: rank(choice) }));
  const compare = (one: readonly number[], other: readonly number[]) =>
    one.map((number, place) => number - (other[place] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return ranked.toSorted((one, other) => compare(one.numbers, other.numbers))[0]?.choice ?? null;
}

function countCut(nodes: readonly Rect[], view: View, screen: Pick<Rect, "width" | "height">): number {
  return nodes.filter((node) => isCut(node, view, screen)).length;
}

function isWhole(node: Rect, view: View, screen: Pick<Rect, "width" | "height">): boolean {
  const { across, down } = place(node, view, screen);
  return across.isWhole && down.isWhole;
}

/** Whether a screen shows one part of a node and not the other. */
function isCut(node: Rect, view: View, screen: Pick<Rect, "width" | "height">): boolean {
  const { across, down } = place(node, view, screen);
  return across.isSeen && down.isSeen && !(across.isWhole && down.isWhole);
}

function place({ x, y, width, height }: Rect, view: View, screen: Pick<Rect, "width" | "height">) {
  const parts = (start: number, length: number, offset: number, room: number) => {
    const [from, to] = [start * view.zoom + offset, (start + length) * view.zoom + offset];
    return { isSeen: from < room && to > 0, isWhole: from >= 0 && to <= room - RIM };
  };
  return { across: parts(x, width, view.x, screen.width), down: parts(y, height, view.y, screen.height) };
}

function fitZoom(all: Rect, screen: Pick<Rect, "width" | "height">): number {
  return Math.min(MAX_ZOOM, Math.min(screen.width / all.width, screen.height / all.height) * (1 - AIR));
}

function centre(all: Rect, selection: Rect | null, screen: Pick<Rect, "width" | "height">, zoom: number): View {
  const along = (axis: "x" | "y", size: "width" | "height") => {
    const [start, length, room] = [all[axis] * zoom, all[size] * zoom, screen[size]];
    if (length <= room) return (room - length) / 2 - start;
    const offset = selection === null ? EDGE - start : room / 2 - (selection[axis] + selection[size] / 2) * zoom;
    return Math.min(EDGE - start, Math.max(room - EDGE - start - length, offset));
  };
  return { x: along("x", "width"), y: along("y", "height"), zoom };
}
