/** Ports at which a dragged edge may end. Computed once when the drag begins, not on every move. */
import { create } from "zustand";
import { explainWhyNot, type Rules } from "../../editor/edges/connecting";
import type { Graph } from "../../api/types";
import { listInputs } from "../../editor/graph/ports";

interface Drag {
  /** `node.port` of every legal end, or null without a drag. */
  readonly legal: ReadonlySet<string> | null;
}

export const useDrag = create<Drag>()(() => ({ legal: null }));

export function startEdge(source: string, source_port: string, graph: Graph, rules: Rules): void {
  const legal = new Set<string>();
  for (const node of graph.nodes) {
    for (const { name } of listInputs(node, rules.operators)) {
      const edge = { source, source_port, target: node.id, target_port: name };
      if (explainWhyNot(edge, graph, rules) === null) legal.add(`${node.id}.${name}`);
    }
  }
  useDrag.setState({ legal });
}

export function endEdge(): void {
  useDrag.setState({ legal: null });
}
