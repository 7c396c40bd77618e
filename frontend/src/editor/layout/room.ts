/** Makes room for a node in an edge: its neighbours move, so that no edge runs backwards. */
import type { GraphEdge } from "../../api/types";
import { findFreePlace, findPlaceBehind, overlaps, STEP } from "./places";
import { findNode, move, type Document, type Edit, type Position } from "../document/document";

/** Puts a node between the ends of an edge, near its present place. Later nodes move to the right. */
export function makeRoom(id: string, edge: GraphEdge): Edit {
  return (document) => {
    const [node, source, target] = [id, edge.source, edge.target].map((one) => findNode(document, one));
    if (node === undefined || source === undefined || target === undefined) return document;
    const others = (current: Document) => current.graph.nodes.filter((one) => one.id !== id);
    const isForward = target.position.x > source.position.x;
    if (!isForward) return move(new Map([[id, findPlaceBehind(source, others(document))]]))(document);
    const first = source.position.x + STEP.x;
    const x = Math.max(first, Math.min(node.position.x, target.position.x - STEP.x));
    const roomy = move(moveAside(target.id, Math.max(0, x + STEP.x - target.position.x), id, document))(document);
    return move(new Map([[id, findFreePlace({ x, y: node.position.y }, others(roomy))]]))(roomy);
  };
}

/** Halfway between the ends of an edge. */
export function findMiddle({ source, target }: GraphEdge, document: Document): Position {
  const [from, to] = [findNode(document, source), findNode(document, target)];
  if (from === undefined || to === undefined) return { x: 0, y: 0 };
  return { x: (from.position.x + to.position.x) / 2, y: (from.position.y + to.position.y) / 2 };
}

/** The places of a node, its followers and the nodes in their way after a step to the right. */
function moveAside(first: string, by: number, fixedId: string, { graph }: Document): ReadonlyMap<string, Position> {
  const places = new Map<string, Position>();
  const open = by === 0 ? [] : graph.nodes.filter(({ id }) => id === first);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { id, position } = node;
    if (places.has(id)) continue;
    const place = { x: position.x + by, y: position.y };
    places.set(id, place);
    const next = new Set(graph.edges.filter(({ source }) => source === id).map(({ target }) => target));
    const isInTheWay = (at: Position) => at.x > position.x && overlaps(at, place);
    const moves = graph.nodes.filter(
      (one) =>
        one.id !== fixedId && (isInTheWay(one.position) || (next.has(one.id) && one.position.x > position.x)),
    );
    open.push(...moves);
  }
  return places;
}
