import { useDeferredValue } from "react";
import { edgeKey } from "../editor/document";
import type { Selection } from "../editor/interfaceStore";
import { useEditing, useInterface } from "../editor/useEditor";
import { useShownGraph } from "../editor/useShownGraph";
import type { Graph } from "../api/types";
import { EdgeInspector } from "./EdgeInspector";
import { NodeInspector } from "./NodeInspector";
import { NothingSelected } from "./NothingSelected";
import { SeveralSelected } from "./SeveralSelected";
import { useReleased } from "./useReleased";
import "./Inspector.css";

/** What is selected: its settings, what flows through it, its numbers. */
export function Inspector() {
  return (
    <aside className="inspector controls" aria-label="Inspector">
      <Selected />
    </aside>
  );
}

function Selected() {
  const { rules } = useEditing();
  const { graph, readOnly } = useShownGraph();
  const { nodes, edges } = useSelected(graph);
  const [node, edge] = [nodes[0], edges[0]];

  if (nodes.length + edges.length > 1) return <SeveralSelected nodes={nodes} edges={edges} readOnly={readOnly} />;
  if (node !== undefined) {
    const operator = rules.operators.get(node.operator);
    return <NodeInspector node={node} operator={operator} graph={graph} readOnly={readOnly} />;
  }
  if (edge !== undefined) return <EdgeInspector edge={edge} graph={graph} readOnly={readOnly} />;
  return <NothingSelected graph={graph} readOnly={readOnly} />;
}

/** A click is painted before the form for it, and a drag goes before either; what is gone or renamed is not kept. */
function useSelected(graph: Graph): Pick<Graph, "nodes" | "edges"> {
  const selection = useInterface((editor) => editor.selection);
  const before = useDeferredValue(useReleased(selection));
  const found = selectedOf(graph, before);
  const isWhole = found.nodes.length === before.nodes.size && found.edges.length === before.edges.size;
  return isWhole ? found : selectedOf(graph, selection);
}

function selectedOf(graph: Graph, { nodes, edges }: Selection): Pick<Graph, "nodes" | "edges"> {
  return {
    nodes: graph.nodes.filter(({ id }) => nodes.has(id)),
    edges: graph.edges.filter((edge) => edges.has(edgeKey(edge))),
  };
}
