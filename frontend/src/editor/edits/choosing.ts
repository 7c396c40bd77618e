/** Finds the place for a node from a list: by default the middle of the view. */
import type { GraphEdge, GraphNode } from "../../api/types";
import { listOutputs } from "../graph/ports";
import { addOperator, type Addition, type From } from "./adding";
import { addFed } from "./bridging";
import { findFreePlace, findPlaceBehind, NODE } from "../layout/places";
import type { Rules } from "../edges/connecting";
import { findNode, makeEdgeKey, type Document, type Position } from "../document/document";
import { putIntoEdge } from "./inserting";
import type { Selection } from "../interface/interfaceStore";
import { findMiddle } from "../layout/room";
import type { Editing } from "../interface/useEditor";

/** Adds a node as `placeAtSelection` says, and returns its id. */
export function choose(operator: string, { store, ui, rules }: Editing, centre: Position): string {
  const { document, edit } = store.getState();
  const addition = placeAtSelection(operator, ui.getState().selection, centre, document, rules);
  edit(addition.edit);
  return addition.id;
}

/** In the selected edge. Else after the selection, fed by it where legal. Else around `centre`. */
export function placeAtSelection(
  operator: string,
  selection: Selection,
  centre: Position,
  document: Document,
  rules: Rules,
): Addition {
  const { nodes, edges } = document.graph;
  const before = nodes.filter(({ id }) => selection.nodes.has(id));
  const edge = before.length === 0 ? edges.find((one) => selection.edges.has(makeEdgeKey(one))) : undefined;
  const source = edge === undefined ? undefined : findNode(document, edge.source);
  if (edge !== undefined && source !== undefined) {
    const from = [{ source: edge.source, port: edge.source_port }];
    const behind = () => addOperator(operator, findPlaceBehind(source, nodes), document, rules, from);
    return placeInEdge(operator, edge, null, document, rules) ?? behind();
  }
  const last = before.reduce<GraphNode | undefined>((a, b) => (a && a.position.x >= b.position.x ? a : b), undefined);
  const middle = { x: centre.x - NODE.width / 2, y: centre.y - NODE.height / 2 };
  const at = last === undefined ? findFreePlace(middle, nodes) : findPlaceBehind(last, nodes);
  return addFed(operator, at, document, rules, before.flatMap((node) => findOpenOutput(node, document, rules)));
}

/** A new node in an edge, near `at` or in its middle; null if it does not fit. */
export function placeInEdge(
  operator: string,
  edge: GraphEdge,
  at: Position | null,
  document: Document,
  rules: Rules,
): Addition | null {
  const { id, edit } = addOperator(operator, at ?? findMiddle(edge, document), document, rules);
  const key = makeEdgeKey(edge);
  const after = edit(document);
  if (putIntoEdge(after, id, key, rules) === after) return null;
  return { id, edit: (before) => putIntoEdge(edit(before), id, key, rules) };
}

/** The first output without a reader, else the first. */
function findOpenOutput(node: GraphNode, { graph }: Document, rules: Rules): readonly From[] {
  const outputs = listOutputs(node, rules.operators).map(({ name }) => name);
  const ports = new Set(graph.edges.filter(({ source }) => source === node.id).map(({ source_port }) => source_port));
  const port = outputs.find((name) => !ports.has(name)) ?? outputs[0];
  return port === undefined ? [] : [{ source: node.id, port }];
}
