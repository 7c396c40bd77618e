import { Background, ReactFlow, useNodesInitialized, useStore, type ReactFlowProps } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useEffect, useState } from "react";
import type { Graph } from "../api/types";
import { Controls } from "./view/Controls";
import { Legend } from "./view/Legend";
import { DISTANCE_CLASSES, DistanceContext, findDistance } from "./flow/Distance";
import { Edge } from "./edges/Edge";
import { FarEdges } from "./edges/FarEdges";
import type { FlowEdge, FlowItem } from "./flow/flow";
import { useFit } from "./flow/useFit";
import { useFlowGraph } from "./flow/useFlowGraph";
import { NoteNode } from "./nodes/NoteNode";
import { OperatorNode } from "./nodes/OperatorNode";
import { Arrow } from "./edges/Arrow";
import { BottleneckWord } from "./running/BottleneckWord";
import { PressureOf } from "./running/pressure";
import { useMotion } from "./view/motion";
import "./Canvas.css";

/** The graph with its live numbers for a reader of a share link: nothing of it can be changed or asked about. */
export function SharedCanvas({ graph, word }: { readonly graph: Graph; readonly word: string | null }) {
  const distance = useStore(({ transform }) => findDistance(transform[2]));
  const isMoving = useMotion((motion) => motion.isMoving);
  const [hasMoved, setMoved] = useState(false);
  const isVeryFar = distance === "very far";
  const { nodes, edges, changeNodes } = useFlowGraph(graph);
  return (
    <section
      className={["canvas", DISTANCE_CLASSES[distance], isMoving ? "moves" : ""].filter(Boolean).join(" ")}
      aria-label="Canvas"
    >
      <DistanceContext value={distance}>
        <ReactFlow<FlowItem, FlowEdge>
          {...SETTINGS}
          nodes={nodes}
          edges={isVeryFar ? NO_EDGES : edges}
          onNodesChange={changeNodes}
          onMoveStart={(event) => event !== null && setMoved(true)}
        >
          {!isVeryFar && <Background gap={24} size={1} />}
          <Arrow />
          {isVeryFar && <FarEdges nodes={nodes} edges={edges} />}
          <PressureOf graph={graph} />
          <KeepInView hasMoved={hasMoved} />
        </ReactFlow>
      </DistanceContext>
      <div className="canvas-words">
        {word !== null && (
          <p className="canvas-word old" role="status">
            {word}
          </p>
        )}
        <BottleneckWord />
      </div>
      {graph.nodes.length > 0 && <Legend />}
      <Controls isReadOnly />
    </section>
  );
}

/** Keeps everything in view, also after the window was resized, until the reader moves the view. */
function KeepInView({ hasMoved }: { readonly hasMoved: boolean }) {
  const isReady = useNodesInitialized();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const { fit } = useFit();
  useEffect(() => {
    if (isReady && !hasMoved) fit();
  }, [isReady, hasMoved, width, height, fit]);
  return null;
}

const NO_EDGES: FlowEdge[] = [];

const SETTINGS: ReactFlowProps<FlowItem, FlowEdge> = {
  nodeTypes: { operator: OperatorNode, note: NoteNode, frame: NoteNode },
  edgeTypes: { edge: Edge },
  // without a listener nodes take no pointer, and show no titles
  onNodeMouseEnter: () => undefined,
  nodesDraggable: false,
  nodesConnectable: false,
  edgesFocusable: false,
  edgesReconnectable: false,
  elementsSelectable: false,
  deleteKeyCode: null,
  panOnScroll: true,
  zoomOnDoubleClick: false,
  minZoom: 0.1,
  maxZoom: 3,
  attributionPosition: "bottom-center",
  ariaLabelConfig: { "node.a11yDescription.default": "For reading only.", "edge.a11yDescription.default": "" },
};
