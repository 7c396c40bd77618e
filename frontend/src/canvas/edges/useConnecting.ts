import type { ReactFlowProps } from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import type { From } from "../../editor/edits/adding";
import type { Reason } from "../../editor/edges/connecting";
import { findBridge, type Bridge } from "../../editor/edits/bridging";
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

/** A dropped edge that was refused, and a node that would let it. */
export interface RefusedDrop {
  readonly reason: Reason;
  readonly bridge: Bridge | null;
}

const REFUSAL_MS = 8_000;
const NONE: ReadonlySet<string> = new Set();

/**
 * Draws and reconnects edges, and handles drops on nothing. The handlers stay the same while nodes move:
 * React Flow passes each new one to every node.
 */
export function useConnecting(isReadOnly: boolean, openPicker: (screen: Position, from: From) => void) {
  const { store, ui, rules } = useEditing();
  const [refusal, setRefusal] = useState<RefusedDrop | null>(null);
  const [reconnectedEdge, setReconnectedEdge] = useState<string | null>(null);
  useForgetting(refusal, setRefusal);

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
        setRefusal(null);
        if (handleType === "source" && nodeId !== null && handleId !== null) {
          startEdge(nodeId, handleId, store.getState().document.graph, rules);
        }
      },
      onConnectEnd: (event, drag) => {
        endEdge();
        const ends = readEnds(drag);
        if (ends !== null) {
          const reason = drag.isValid === true ? null : why(ends);
          const edge = makeEdge(ends);
          const { document } = store.getState();
          const bridge = reason === null || edge === null || isReadOnly ? null : findBridge(edge, document, rules);
          setRefusal(reason === null ? null : { reason, bridge });
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
  const repair = () => {
    if (refusal?.bridge == null) return;
    store.getState().edit(refusal.bridge.edit);
    ui.getState().select([refusal.bridge.id]);
    setRefusal(null);
  };
  return { handlers, refusal, repair, reconnectedEdge };
}

/** A refusal stays visible for a while after the drop. */
function useForgetting(reason: RefusedDrop | null, setReason: (reason: null) => void): void {
  useEffect(() => {
    if (reason === null) return;
    const timer = window.setTimeout(() => setReason(null), REFUSAL_MS);
    return () => window.clearTimeout(timer);
  }, [reason, setReason]);
}
