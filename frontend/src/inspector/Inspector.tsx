import { edgeKey } from "../editor/document";
import { useEditing, useEditor } from "../editor/useEditor";
import { useShownGraph } from "../editor/useShownGraph";
import { EdgeInspector } from "./EdgeInspector";
import { NodeInspector } from "./NodeInspector";
import { NothingSelected } from "./NothingSelected";
import { SeveralSelected } from "./SeveralSelected";
import "./Inspector.css";

/** What is selected: its settings, what flows through it, its numbers. */
export function Inspector() {
  return (
    <aside className="inspector" aria-label="Inspector">
      <Selected />
    </aside>
  );
}

function Selected() {
  const { rules } = useEditing();
  const selection = useEditor((editor) => editor.selection);
  const { graph, readOnly } = useShownGraph();
  const nodes = graph.nodes.filter(({ id }) => selection.nodes.has(id));
  const edges = graph.edges.filter((edge) => selection.edges.has(edgeKey(edge)));
  const [node, edge] = [nodes[0], edges[0]];

  if (nodes.length + edges.length > 1) return <SeveralSelected nodes={nodes} edges={edges} readOnly={readOnly} />;
  if (node !== undefined) {
    const operator = rules.operators.get(node.operator);
    return <NodeInspector node={node} operator={operator} graph={graph} readOnly={readOnly} />;
  }
  if (edge !== undefined) return <EdgeInspector edge={edge} graph={graph} readOnly={readOnly} />;
  return <NothingSelected graph={graph} readOnly={readOnly} />;
}
