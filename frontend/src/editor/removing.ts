/** Removing nodes: what stood before and behind a removed one is joined again where the wire is a legal one. */
import type { GraphEdge } from "../graph/graph";
import { whyNot, type Rules } from "./connecting";
import { connect, remove, type Document, type Edit } from "./document";

export function removeAndRejoin(nodes: ReadonlySet<string>, edges: ReadonlySet<string>, rules: Rules): Edit {
  return (document) => {
    const bridges = [...nodes].flatMap((id) => bridgesOver(id, document));
    return bridges.reduce((drawn, bridge) => bridged(drawn, bridge, rules), remove(nodes, edges)(document));
  };
}

/** From what feeds the first wire into a node to whatever it feeds. */
function bridgesOver(id: string, { graph }: Document): GraphEdge[] {
  const into = graph.edges.filter(({ target }) => target === id);
  const [first] = into;
  if (first === undefined || into.length > 1) return [];
  const from = { source: first.source, source_port: first.source_port };
  return graph.edges.filter(({ source }) => source === id).map((edge) => ({ ...edge, ...from }));
}

function bridged(document: Document, bridge: GraphEdge, rules: Rules): Document {
  const ends = [bridge.source, bridge.target].every((id) => document.graph.nodes.some((node) => node.id === id));
  return ends && whyNot(bridge, document.graph, rules) === null ? connect(bridge)(document) : document;
}
