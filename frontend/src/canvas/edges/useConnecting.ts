import type { ReactFlowProps } from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import type { From } from "../../editor/edits/adding";
import type { Reason } from "../../editor/edges/connecting";
import { connect, joinEdits, makeEdgeKey, remove, type Position } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import type { FlowEdge, FlowNode } from "../flow/flow";
import { endEdge, startEdge } from "./legal";
import { findRefusal, makeEdge, readEnds } from "./wiring";

type Handlers = Pick<
  ReactFlowProps<FlowNode, FlowEdge>,
  | "isValidConnection"
  | "onConnect"
  | "onConnectEnd"
  | "onConnectStart"
  | "onReconnect"
  | "onReconnectEnd"
  | "onReconnectStart"
>;

const REFUSAL_MS = 8_000;
const NONE: ReadonlySet<string> = new Set();

/**
 * Draws and reconnects edges, and handles drops on nothing. The handlers stay the same while nodes move:
 * React Flow passes each new one to every node.
 */
export function useConnecting(isReadOnly: boolean, openPicker: (screen: Position, from: From) => void) {
  const { store, rules } = useEditing();
  const [dropReason, setDropReason] = useState<Reason | null>(null);
  const [reconnectedEdge, setReconnectedEdge] = useState<string | null>(null);
  useForgetting(dropReason, setDropReason);

  const handlers = useMemo((): Handlers => {
    const { edit } = store.getState();
    const why = (ends: Parameters<typeof findRefusal>[0]) =>
      findRefusal(ends, store.getState().document.graph, rules, reconnectedEdge);
    return {
      isValidConnection: (connection) => why(connection) === null,
      onConnect: (connection) => {
        const edge = makeEdge(connection);
        if (edge !== null && !isReadOnly) edit(connect(edge));
      },
      onConnectStart: (_, { nodeId, handleId, handleType }) => {
        setDropReason(null);
        if (handleType === "source" && nodeId !== null && handleId !== null) {
          startEdge(nodeId, handleId, store.getState().document.graph, rules);
        }
      },
      onConnectEnd: (event, drag) => {
        endEdge();
        const ends = readEnds(drag);
        if (ends !== null) {
          setDropReason(drag.isValid === true ? null : why(ends));
          return;
        }
        const { fromHandle } = drag;
        if (isReadOnly || fromHandle?.type !== "source" || fromHandle.id == null || drag.toNode !== null) return;
        const at = "changedTouches" in event ? event.changedTouches[0] : event;
        if (at) openPicker({ x: at.clientX, y: at.clientY }, { source: fromHandle.nodeId, port: fromHandle.id });
      },
      onReconnectStart: (_, edge) => setReconnectedEdge(edge.id),
      onReconnect: (old, connection) => {
        const edge = makeEdge(connection);
        if (edge === null || makeEdgeKey(edge) === old.id) return;
        edit(joinEdits(remove(NONE, new Set([old.id])), connect(edge)));
      },
      onReconnectEnd: (_, edge, __, drag) => {
        setReconnectedEdge(null);
        if (drag.toHandle === null) edit(remove(NONE, new Set([edge.id])));
      },
    };
  }, [store, rules, isReadOnly, reconnectedEdge, openPicker]);
  return { handlers, dropReason, reconnectedEdge };
}

/** A refusal stays visible for a while after the drop. */
function useForgetting(reason: Reason | null, setReason: (reason: Reason | null) => void): void {
  useEffect(() => {
    if (reason === null) return;
    const timer = window.setTimeout(() => setReason(null), REFUSAL_MS);
    return () => window.clearTimeout(timer);
  }, [reason, setReason]);
}
