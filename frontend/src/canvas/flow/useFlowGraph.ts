import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from "@xyflow/react";
import { useCallback, useMemo, useState } from "react";
import { useEditing, useInterface } from "../../editor/interface/useEditor";
import type { InterfaceStore } from "../../editor/interface/interfaceStore";
import type { Graph } from "../../api/types";
import { listEdgeLooks } from "../../editor/graph/edges";
import { makeFlowEdges, makeFlowItems, type FlowEdge, type FlowItem } from "./flow";
import { findLanes } from "../../editor/layout/lanes";
import { findShapes } from "../../editor/layout/shape";

/** The graph as React Flow draws it: the document's, plus unfinished moves. */
export function useFlowGraph(graph: Graph) {
  const { ui, rules } = useEditing();
  const selection = useInterface((editor) => editor.selection);
  const looks = useMemo(() => listEdgeLooks(graph, rules.operators), [graph, rules]);
  const shapes = useMemo(() => findShapes(graph, rules.operators), [graph, rules]);
  const lanes = useMemo(() => findLanes(graph, shapes), [graph, shapes]);
  const [nodes, setNodes] = useState<FlowItem[]>(() => makeFlowItems(graph, shapes, selection, []));
  const [edges, setEdges] = useState<FlowEdge[]>(() => makeFlowEdges(graph, looks, selection, [], lanes));
  const [inputs, setInputs] = useState({ graph, looks, selection, lanes });
  if (inputs.graph !== graph || inputs.looks !== looks || inputs.selection !== selection) {
    setInputs({ graph, looks, selection, lanes });
    setNodes(makeFlowItems(graph, shapes, selection, nodes));
    const isAsDrawn = inputs.graph.edges === graph.edges && inputs.looks === looks && inputs.lanes === lanes;
    if (!isAsDrawn || inputs.selection !== selection) setEdges(makeFlowEdges(graph, looks, selection, edges, lanes));
  }

  const changeNodes = useCallback(
    (changes: readonly NodeChange<FlowItem>[]) => {
      const layoutChanges = changes.filter((change) => change.type !== "remove" && change.type !== "select");
      if (layoutChanges.length > 0) setNodes((before) => applyNodeChanges(layoutChanges, before));
      chooseBy(changes, (apply) => ui.getState().select(apply(ui.getState().selection.nodes), readEdges(ui)));
    },
    [ui],
  );
  const changeEdges = useCallback(
    (changes: readonly EdgeChange<FlowEdge>[]) => {
      const layoutChanges = changes.filter((change) => change.type !== "remove" && change.type !== "select");
      if (layoutChanges.length > 0) setEdges((before) => applyEdgeChanges(layoutChanges, before));
      chooseBy(changes, (apply) => {
        const { selection: now, select } = ui.getState();
        select(now.nodes, apply(now.edges));
      });
    },
    [ui],
  );
  return { nodes, edges, changeNodes, changeEdges };
}

type SelectionChange = (before: ReadonlySet<string>) => ReadonlySet<string>;

/** The editor owns the selection. React Flow only reports the change by a click or a box. */
function chooseBy(
  changes: readonly (NodeChange<FlowItem> | EdgeChange<FlowEdge>)[],
  choose: (apply: SelectionChange) => void,
): void {
  const selects = changes.filter((change) => change.type === "select");
  if (selects.length === 0) return;
  choose((before) => {
    const after = new Set(before);
    for (const { id, selected } of selects) {
      if (selected) after.add(id);
      else after.delete(id);
    }
    return after;
  });
}

function readEdges(ui: InterfaceStore): ReadonlySet<string> {
  return ui.getState().selection.edges;
}
