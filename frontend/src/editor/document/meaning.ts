import type { Document } from "./document";

/** A document as text, without what makes no difference to records: what only readers see. */
export function readMeaning({ graph, schemas }: Document): string {
  const nodes = graph.nodes.map(({ position: _, colour: __, ...node }) => node);
  return JSON.stringify({ graph: { nodes, edges: graph.edges }, schemas });
}
