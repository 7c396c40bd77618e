import { useDeferredValue } from "react";
import { makeEdgeKey } from "../editor/document/document";
import { listNotes } from "../editor/edits/notes";
import type { NumberedSelection } from "../editor/interface/interfaceStore";
import { useEditing, useInterface } from "../editor/interface/useEditor";
import { useShownGraph } from "../editor/comparing/useShownGraph";
import type { Graph } from "../api/types";
import { Comparison } from "./Comparison";
import { EdgeInspector } from "./EdgeInspector";
import { NodeInspector } from "./NodeInspector";
import { NoteInspector } from "./NoteInspector";
import { TopologyInspector } from "./TopologyInspector";
import { ItemsInspector } from "./ItemsInspector";
import { useRestingValue } from "../ui/browser/useRestingValue";
import "./Inspector.css";

/** The selection: its settings, its types, its numbers. */
export function Inspector() {
  return (
    <aside className="inspector controls" aria-label="Inspector">
      <SelectionInspector />
    </aside>
  );
}

function SelectionInspector() {
  const { rules } = useEditing();
  const { graph, isReadOnly } = useShownGraph();
  const { nodes, edges, notes, number } = useSelectedItems(graph);
  const versionView = useInterface((editor) => editor.versionView);
  const [node, edge, note] = [nodes[0], edges[0], notes[0]];

  const hasSeveral = nodes.length + edges.length + notes.length > 1;
  if (hasSeveral) return <ItemsInspector nodes={nodes} edges={edges} notes={notes} isReadOnly={isReadOnly} />;
  if (note !== undefined) return <NoteInspector note={note} isReadOnly={isReadOnly} />;
  if (node !== undefined) {
    const shown = { node, selection: number, operator: rules.operators.get(node.operator), graph, isReadOnly };
    return <NodeInspector {...shown} />;
  }
  if (edge !== undefined) return <EdgeInspector edge={edge} graph={graph} isReadOnly={isReadOnly} />;
  if (versionView !== null) return <Comparison versionView={versionView} />;
  return <TopologyInspector graph={graph} isReadOnly={isReadOnly} />;
}

/** A click is painted before its form, and a drag before either. It forgets removed and renamed items. */
function useSelectedItems(graph: Graph): SelectedItems {
  const selection = useInterface((editor) => editor.selection);
  const before = useDeferredValue(useRestingValue(selection));
  const items = findItems(graph, before);
  const count = items.nodes.length + items.notes.length + items.edges.length;
  const isWhole = count === before.nodes.size + before.edges.size;
  return isWhole ? items : findItems(graph, selection);
}

interface SelectedItems extends Required<Pick<Graph, "nodes" | "edges" | "notes">> {
  readonly number: number;
}

function findItems(graph: Graph, { nodes, edges, number }: NumberedSelection): SelectedItems {
  return {
    number,
    nodes: graph.nodes.filter(({ id }) => nodes.has(id)),
    edges: edges.size === 0 ? [] : graph.edges.filter((edge) => edges.has(makeEdgeKey(edge))),
    notes: listNotes(graph).filter(({ id }) => nodes.has(id)),
  };
}
