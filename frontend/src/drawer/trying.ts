/** What the tab Trial asks for, and the words it says. */
import type { Trial } from "../api/types";
import { edgeKey, type Document } from "../editor/document";
import type { Selection } from "../editor/store";
import type { Graph } from "../graph/graph";
import { count, counted } from "../numbers/format";

/** The output that is looked at. */
export interface Place {
  readonly node: string;
  readonly port: string;
}

/**
 * The output a selection means: the one its wire starts at, or the first of its node; of a node without outputs the one
 * that feeds it. Null where nothing or too much is selected.
 */
export function placeOf(
  graph: Graph,
  selection: Selection,
  portsOf: (node: string) => readonly string[],
): Place | null {
  const [node, ...nodes] = selection.nodes;
  const [wire, ...wires] = selection.edges;
  if (nodes.length + wires.length > 0 || (node === undefined) === (wire === undefined)) return null;
  const port = node === undefined ? undefined : portsOf(node)[0];
  if (node !== undefined && port !== undefined) return { node, port };
  const edge = graph.edges.find((each) => (node === undefined ? edgeKey(each) === wire : each.target === node));
  return edge === undefined ? null : { node: edge.source, port: edge.source_port };
}

/** A document as text, without what makes no difference to records: where nodes stand. */
export function meaningOf({ graph, schemas }: Document): string {
  const nodes = graph.nodes.map(({ id, operator, config }) => ({ id, operator, config }));
  return JSON.stringify({ graph: { nodes, edges: graph.edges }, schemas });
}

/** "the newest 100 of 431 records; tried on the newest 200 of flights, 16 of airlines". */
export function said({ read, outputs }: Pick<Trial, "read" | "outputs">, port: string): string {
  const { count: all, records } = outputs[port] ?? { count: 0, records: [] };
  const given = counted(all, "record");
  const topics = Object.entries(read).map(([topic, number]) => `${count(number)} of ${topic}`);
  const shown = records.length < all ? `the newest ${count(records.length)} of ${given}` : given;
  return `${shown}; tried on the newest ${topics.join(", ")}`;
}
