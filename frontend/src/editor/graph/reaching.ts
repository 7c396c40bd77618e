/** Walks along edges: all nodes before or behind some, and the neighbour in a direction. */
import type { Graph, GraphEdge } from "../../api/types";

export type Direction = "left" | "right" | "up" | "down";

export type Reach = "upstream" | "downstream" | "connected";

/** These nodes, and all from which records reach them, or all that theirs reach, or all that edges connect to them. */
export function findReach({ edges }: Graph, from: Iterable<string>, way: Reach): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  const lead = (here: string, there: string) => next.set(here, [...(next.get(here) ?? []), there]);
  for (const { source, target } of edges) {
    if (way !== "downstream") lead(target, source);
    if (way !== "upstream") lead(source, target);
  }
  const found = new Set(from);
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other); // a set is walked as it grows
  return found;
}

/**
 * The node to which an arrow key goes. Left and right follow edges, to the end that is nearest in height. Up and down
 * go to the nearest node there. Null if there is none.
 */
export function findNeighbour({ nodes, edges }: Graph, id: string, direction: Direction): string | null {
  const places = new Map(nodes.map((node) => [node.id, node.position]));
  const here = places.get(id);
  if (here === undefined) return null;
  const isAlong = direction === "left" || direction === "right";
  const candidates = isAlong ? listEnds(edges, id, direction) : nodes.map((node) => node.id);
  let [best, least] = [null as string | null, Infinity];
  for (const candidate of candidates) {
    const there = places.get(candidate);
    if (there === undefined || candidate === id) continue;
    const [across, down] = [Math.abs(there.x - here.x), there.y - here.y];
    if (!isAlong && (direction === "up" ? down >= 0 : down <= 0)) continue;
    // two columns away is farther than two rows: a node above is one that looks so
    const distance = isAlong ? Math.abs(down) : Math.abs(down) + 2 * across;
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function listEnds(edges: readonly GraphEdge[], id: string, direction: "left" | "right"): readonly string[] {
  return direction === "left"
    ? edges.filter(({ target }) => target === id).map(({ source }) => source)
    : edges.filter(({ source }) => source === id).map(({ target }) => target);
}
