/** Removes nodes. Joins the nodes before and after a removed one if the edge is legal. */
import type { GraphEdge } from "../../api/types";
import { takesMany } from "../graph/ports";
import { explainWhyNot, type Rules } from "../edges/connecting";
import { connect, remove, type Document, type Edit } from "../document/document";
import type { Editing } from "../interface/useEditor";

export function removeAndRejoin(nodes: ReadonlySet<string>, edges: ReadonlySet<string>, rules: Rules): Edit {
  return (document) => {
    const bridges = [...nodes].flatMap((id) => listBridges(id, document, rules));
    return bridges.reduce((current, bridge) => drawBridge(current, bridge, rules), remove(nodes, edges)(document));
  };
}

/** Removes the selection. */
export function removeSelection({ store, ui, rules }: Pick<Editing, "store" | "ui" | "rules">): void {
  const { selection, select } = ui.getState();
  if (selection.nodes.size + selection.edges.size === 0) return;
  store.getState().edit(removeAndRejoin(selection.nodes, selection.edges, rules));
  select([]);
}

/** Edges from the inputs of a node to its followers. Several only if all may feed the follower. */
function listBridges(id: string, { graph }: Document, { operators }: Rules): GraphEdge[] {
  const into = graph.edges.filter(({ target }) => target === id);
  const onwards = graph.edges.filter(({ source }) => source === id);
  if (into.length > 1 && !onwards.every((edge) => takesMany(edge, graph, operators))) return [];
  return into.flatMap(({ source, source_port }) => onwards.map((edge) => ({ ...edge, source, source_port })));
}

function drawBridge(document: Document, bridge: GraphEdge, rules: Rules): Document {
  const hasEnds = [bridge.source, bridge.target].every((id) => document.graph.nodes.some((node) => node.id === id));
  return hasEnds && explainWhyNot(bridge, document.graph, rules) === null ? connect(bridge)(document) : document;
}
