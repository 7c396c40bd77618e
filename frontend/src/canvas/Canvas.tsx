import {
  Background,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
  type OnConnectEnd,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { NODE, type From } from "../editor/adding";
import type { Reason } from "../editor/connecting";
import { connect, edgeKey, move, remove, together, type Position } from "../editor/document";
import { useEditing, useEditor } from "../editor/useEditor";
import { useRunningGraph, useShownGraph } from "../editor/useShownGraph";
import { Controls } from "./Controls";
import { DifferencesContext, differenceWords } from "./DifferencesContext";
import { DistanceContext, distanceAt } from "./Distance";
import { FarWires } from "./FarWires";
import { FIT } from "./fit";
import { putDown, type FlowEdge, type FlowNode } from "./flow";
import { begin, end } from "./legal";
import { useMotion } from "./motion";
import { NodePicker, type Picking } from "./NodePicker";
import { OperatorNode } from "./OperatorNode";
import { Overlays } from "./Overlays";
import { Overview } from "./Overview";
import { ReasonNotice } from "./Reason";
import { useClipboard } from "./useClipboard";
import { useDrop } from "./useDrop";
import { useFlowGraph } from "./useFlowGraph";
import { useKeys } from "./useKeys";
import { useRefit } from "./useRefit";
import { Wire } from "./Wire";
import { edgeOf, endsOf, refusal } from "./wiring";
import "./Canvas.css";

const NODE_TYPES = { operator: OperatorNode };
const EDGE_TYPES = { wire: Wire };
const REFUSAL_MS = 8_000;
/** With more wires than this none of them moves: the picture would cost more than it says. */
const MOST_MOVING = 120;

/** The drawing: nodes and wires to set, join and watch. */
export function Canvas() {
  const { graph, readOnly } = useShownGraph();
  const distance = useStore(({ transform }) => distanceAt(transform[2]));
  const moves = useMotion((motion) => motion.moves) && graph.edges.length <= MOST_MOVING;
  const words = useDifferenceWords();
  const names = ["canvas", readOnly ? "running" : "", CLASSES[distance], moves ? "moves" : ""];
  return (
    <section className={names.filter(Boolean).join(" ")} aria-label="Canvas" {...useDrop(readOnly)}>
      <DifferencesContext value={words}>
        <DistanceContext value={distance}>
          <Board readOnly={readOnly} isVeryFar={distance === "very far"} />
        </DistanceContext>
      </DifferencesContext>
      <Overlays empty={graph.nodes.length === 0} readOnly={readOnly} />
      <Controls readOnly={readOnly} />
    </section>
  );
}

function useDifferenceWords() {
  const { graph, readOnly } = useShownGraph();
  const draft = useEditor((editor) => editor.document.graph);
  const running = useRunningGraph();
  return useMemo(
    () => (running === null ? new Map() : differenceWords(graph, readOnly ? draft : running, !readOnly)),
    [graph, draft, running, readOnly],
  );
}

interface BoardProps {
  readonly readOnly: boolean;
  readonly isVeryFar: boolean;
}

function Board({ readOnly, isVeryFar }: BoardProps) {
  const { store, rules } = useEditing();
  const { graph } = useShownGraph();
  const { nodes, edges, changeNodes, changeEdges } = useFlowGraph(graph);
  const flow = useReactFlow();
  const [dropped, setDropped] = useState<Reason | null>(null);
  const [picking, setPicking] = useState<Picking | null>(null);
  const [replugged, setReplugged] = useState<string | null>(null);
  const keepInView = useRefit();
  // an empty canvas stays where it is when the first node comes
  const [fits] = useState(graph.nodes.length > 0);
  const { edit } = store.getState();
  const why = (ends: Parameters<typeof refusal>[0]) =>
    refusal(ends, store.getState().document.graph, rules, replugged);

  const openPicker = useCallback(
    (screen: Position, from: From | null) => {
      const box = document.querySelector(".canvas")?.getBoundingClientRect() ?? new DOMRect();
      const place = { x: Math.min(screen.x - box.x, box.width - 250), y: Math.min(screen.y - box.y, box.height * 0.4) };
      const { x, y } = flow.screenToFlowPosition(screen);
      setPicking({ place, at: { x, y: y - NODE.height / 2 }, from });
    },
    [flow],
  );
  const pickInMiddle = useCallback(() => {
    const box = document.querySelector(".canvas")?.getBoundingClientRect() ?? new DOMRect();
    openPicker({ x: box.x + box.width / 2 - 100, y: box.y + box.height / 4 }, null);
  }, [openPicker]);
  useKeys({ openPicker: pickInMiddle });
  useClipboard(graph);
  useForgetting(dropped, setDropped);

  const connectEnded: OnConnectEnd = (event, drag) => {
    end();
    const ends = endsOf(drag);
    if (ends !== null) {
      setDropped(drag.isValid === true ? null : why(ends));
      return;
    }
    const { fromHandle } = drag;
    if (readOnly || fromHandle?.type !== "source" || fromHandle.id == null || drag.toNode !== null) return;
    const at = "changedTouches" in event ? event.changedTouches[0] : event;
    if (at) openPicker({ x: at.clientX, y: at.clientY }, { source: fromHandle.nodeId, port: fromHandle.id });
  };
  return (
    <>
      <ReactFlow<FlowNode, FlowEdge>
        nodes={nodes}
        edges={isVeryFar ? NO_EDGES : edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={(changes) => {
          changeNodes(changes);
          const moved = putDown(changes);
          if (moved.size > 0 && !readOnly) edit(move(moved), `move ${[...moved.keys()].join(" ")}`);
        }}
        onEdgesChange={changeEdges}
        onConnect={(connection) => {
          const edge = edgeOf(connection);
          if (edge !== null && !readOnly) edit(connect(edge));
        }}
        onConnectStart={(_, { nodeId, handleId, handleType }) => {
          setDropped(null);
          if (handleType === "source" && nodeId !== null && handleId !== null) {
            begin(nodeId, handleId, store.getState().document.graph, rules);
          }
        }}
        onConnectEnd={connectEnded}
        isValidConnection={(connection) => why(connection) === null}
        onReconnectStart={(_, edge) => setReplugged(edge.id)}
        onReconnect={(old, connection) => {
          const edge = edgeOf(connection);
          if (edge !== null && edgeKey(edge) !== old.id) edit(together(remove(NONE, new Set([old.id])), connect(edge)));
        }}
        onReconnectEnd={(_, edge, __, drag) => {
          setReplugged(null);
          if (drag.toHandle === null) edit(remove(NONE, new Set([edge.id])));
        }}
        onDoubleClick={(event) => {
          const onPane = event.target instanceof Element && event.target.classList.contains("react-flow__pane");
          if (onPane && !readOnly) openPicker({ x: event.clientX, y: event.clientY }, null);
        }}
        nodesDraggable={!readOnly}
        nodesConnectable={!readOnly}
        edgesReconnectable={!readOnly}
        deleteKeyCode={null}
        multiSelectionKeyCode={["Control", "Meta"]}
        selectionOnDrag
        selectionMode={SelectionMode.Partial}
        panOnDrag={[1]}
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={0.1}
        maxZoom={3}
        snapToGrid
        snapGrid={[8, 8]}
        connectionRadius={36}
        onMoveStart={keepInView}
        fitView={fits}
        fitViewOptions={FIT}
        attributionPosition="bottom-center"
        ariaLabelConfig={ARIA}
      >
        {!isVeryFar && <Background gap={24} size={1} />}
        <Overview />
        <Arrow />
        {isVeryFar && <FarWires nodes={nodes} edges={edges} />}
      </ReactFlow>
      <ReasonNotice dropped={dropped} replugged={replugged} />
      {picking !== null && !readOnly && <NodePicker picking={picking} close={() => setPicking(null)} />}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();
const NO_EDGES: FlowEdge[] = [];
const CLASSES = { near: "", far: "far", "very far": "far very-far" } as const;
const ARIA = {
  "node.a11yDescription.default": "Press Enter or Space to select, Delete to remove, the arrow keys to move.",
  "edge.a11yDescription.default": "Press Enter or Space to select, Delete to remove.",
};

/** A refusal is shown for a while after the wire was dropped. */
function useForgetting(dropped: Reason | null, setDropped: (reason: Reason | null) => void): void {
  const set = useRef(setDropped);
  useEffect(() => {
    if (dropped === null) return;
    const timer = window.setTimeout(() => set.current(null), REFUSAL_MS);
    return () => window.clearTimeout(timer);
  }, [dropped]);
}

/** The arrow at the end of a stream's wire. */
function Arrow() {
  return (
    <svg className="defs" aria-hidden="true" focusable="false">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M1,1 7,4 1,7" />
        </marker>
      </defs>
    </svg>
  );
}
