import type { Document } from "./document";

/** A document as text, without the parts that only readers see: they do not affect records. */
export function makeContentKey({ graph, schemas }: Document): string {
  const nodes = graph.nodes.map(({ position: _, colour: __, ...node }) => node);
  return JSON.stringify({ graph: { nodes, edges: graph.edges }, schemas });
}
