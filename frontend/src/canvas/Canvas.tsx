import {
  Background,
  ReactFlow,
  SelectionMode,
  useStore,
  type ReactFlowProps,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useState, type MouseEvent } from "react";
import { useFollowing } from "../editor/interface/following";
import { useLineage } from "../editor/interface/lineage";
import { useSides } from "../editor/interface/sides";
import { canDraw, useEditing } from "../editor/interface/useEditor";
import { useShownGraph } from "../editor/comparing/useShownGraph";
import { Controls } from "./view/Controls";
import { DifferencesContext, useDifferenceWords } from "./flow/DifferencesContext";
import { InsertContext } from "./flow/InsertContext";
import { DISTANCE_CLASSES, DistanceContext, findDistance } from "./flow/Distance";
import { FarEdges } from "./edges/FarEdges";
import { Arrow } from "./edges/Arrow";
import { ContextMenu } from "./commands/ContextMenu";
import type { FlowEdge, FlowItem } from "./flow/flow";
import { Guides } from "./moving/Guides";
import { useMotion } from "./view/motion";
import { NodePicker, type Picking } from "./commands/NodePicker";
import { NoteNode } from "./nodes/NoteNode";
import { OperatorNode } from "./nodes/OperatorNode";
import { Legend } from "./view/Legend";
import { Overlays } from "./view/Overlays";
import { Overview } from "./view/Overview";
import { ReasonNotice } from "./edges/Reason";
import { PeersLayer } from "./view/Peers";
import { PastedDialog } from "./moving/PastedDialog";
import { Finder } from "./commands/Finder";
import { openPanel, renameInPlace, usePanels } from "./flow/panels";
import { ShortcutsDialog } from "./commands/ShortcutsDialog";
import { useClipboard } from "./moving/useClipboard";
import { Glance } from "./running/Glance";
import { closeGlance, giveWay, leave, rest } from "./running/glance";
import { Pinned } from "./running/Pinned";
import { PressureOf } from "./running/pressure";
import { useConnecting } from "./edges/useConnecting";
import { useContextMenu } from "./commands/useContextMenu";
import { useDrop } from "./moving/useDrop";
import { useFollow } from "./view/useFollow";
import { useFlowGraph } from "./flow/useFlowGraph";
import { useKeys } from "./commands/useKeys";
import { useMoving } from "./moving/useMoving";
import { usePicking } from "./commands/usePicking";
import { useGivingBack, useLentView } from "./view/useLentView";
import { forgetTopology } from "./leaving";
import { useRefit } from "./view/useRefit";
import { pointAt, pointAway } from "./edges/pointing";
import { Edge } from "./edges/Edge";
import "./Canvas.css";

/** Above this number of edges none of them moves: the animation would cost more than it shows. */
const MAX_MOVING = 120;

/** Above this number of nodes, only visible ones are drawn, and from far neither shadows nor the grid. */
const MAX_DRAWN = 120;

/** The graph, where users place, join and watch nodes. */
export function Canvas() {
  const { graph, isReadOnly } = useShownGraph();
  const distance = useStore(({ transform }) => findDistance(transform[2]));
  const isMoving = useMotion((motion) => motion.isMoving) && graph.edges.length <= MAX_MOVING;
  const isTight = useIsTight();
  const words = useDifferenceWords();
  const isFollowing = useFollowing(({ steps }) => steps.length > 0);
  const hasLineage = useLineage(({ field }) => field !== null);
  const follows = isFollowing || hasLineage ? "follows" : "";
  const isCrowded = graph.nodes.length > MAX_DRAWN;
  const isFar = distance === "far" || distance === "very far";
  const states = [isCrowded ? "crowded" : "", isMoving ? "moves" : "", isTight ? "tight" : "", follows];
  const names = ["canvas", isReadOnly ? "running" : "", DISTANCE_CLASSES[distance], ...states];
  return (
    <section className={names.filter(Boolean).join(" ")} aria-label="Canvas" {...useDrop(isReadOnly)}>
      <DifferencesContext value={words}>
        <DistanceContext value={distance}>
          <Board isReadOnly={isReadOnly} isFar={isFar} isVeryFar={distance === "very far"} />
        </DistanceContext>
      </DifferencesContext>
      <Overlays isEmpty={graph.nodes.length === 0} isReadOnly={isReadOnly} />
      {graph.nodes.length > 0 && <Legend />}
      <Controls isReadOnly={isReadOnly} />
    </section>
  );
}

/** Whether the part of the canvas beside the inspector is too narrow for all panels over it. */
function useIsTight(): boolean {
  const width = useStore((state) => state.width);
  const covered = useSides((sides) => sides.covered);
  return width > 0 && width - covered < TIGHT;
}

const TIGHT = 640;

interface BoardProps {
  readonly isReadOnly: boolean;
  readonly isFar: boolean;
  readonly isVeryFar: boolean;
}

function Board({ isReadOnly, isFar, isVeryFar }: BoardProps) {
  const { store, ui } = useEditing();
  const { graph } = useShownGraph();
  const { nodes, edges, changeNodes, changeEdges } = useFlowGraph(graph);
  const lentView = useLentView();
  useRefit(lentView);
  useFollow(graph, lentView);
  useGivingBack(lentView);
  const [picking, setPicking] = useState<Picking | null>(null);
  const { pickAt, pickBehind, pickAtSelection } = usePicking(setPicking);
  useKeys({ openPicker: pickAtSelection });
  const insert = useCallback(
    (edge: string) => {
      ui.getState().select([], [edge]);
      pickAtSelection();
    },
    [ui, pickAtSelection],
  );
  const panel = usePanels((panels) => panels.panel);
  useEffect(() => forgetTopology, []);
  const { menu, setMenu, handlers: menuHandlers } = useContextMenu();
  const closeMenu = useCallback(() => setMenu(null), [setMenu]);
  const openOnDoubleClick = useCallback(
    ({ target }: MouseEvent, { id, type }: FlowItem) => {
      if (!(target instanceof Element) || target.closest(".react-flow__handle") !== null) return;
      if (!canDraw({ store, ui })) return;
      if (type !== "operator" || target.closest("strong") !== null) renameInPlace(id);
      else ui.getState().setUp(id);
    },
    [store, ui],
  );
  const pasting = useClipboard(graph);
  const { handlers, refusal, repair, reconnectedEdge } = useConnecting(isReadOnly, pickAt);
  const { moveNodes, guides } = useMoving(isReadOnly, changeNodes);
  return (
    <InsertContext value={isReadOnly ? null : insert}>
      <ReactFlow<FlowItem, FlowEdge>
        {...SETTINGS}
        {...handlers}
        {...menuHandlers}
        {...GLANCING}
        nodes={nodes}
        edges={isVeryFar ? NO_EDGES : edges}
        onlyRenderVisibleElements={nodes.length > MAX_DRAWN}
        onNodesChange={moveNodes}
        onEdgesChange={changeEdges}
        onDoubleClick={(event) => {
          const isOnPane = event.target instanceof Element && event.target.classList.contains("react-flow__pane");
          if (isOnPane && !isReadOnly) pickAt({ x: event.clientX, y: event.clientY }, null);
        }}
        onPaneClick={(event) => {
          const { ctrlKey, metaKey, clientX: x, clientY: y } = event;
          if ((ctrlKey || metaKey) && !isReadOnly) pickAt({ x, y }, null);
        }}
        onNodeClick={pickBehind}
        onNodeDoubleClick={openOnDoubleClick}
        nodesDraggable={!isReadOnly}
        nodesConnectable={!isReadOnly}
        edgesReconnectable={!isReadOnly}
      >
        {!isVeryFar && !(isFar && nodes.length > MAX_DRAWN) && <Background gap={24} size={1} />}
        <Overview />
        <Arrow />
        {isVeryFar && <FarEdges nodes={nodes} edges={edges} />}
        <Guides guides={guides} />
        <PeersLayer />
        <PressureOf graph={graph} />
        {!isVeryFar && <Pinned />}
        <Glance edges={edges} />
      </ReactFlow>
      {pasting.outcome !== null && <PastedDialog outcome={pasting.outcome} close={pasting.close} />}
      <ReasonNotice refusal={refusal} repair={repair} reconnectedEdge={reconnectedEdge} />
      {menu !== null && (
        <ContextMenu
          menu={menu}
          close={closeMenu}
          addHere={(screen) => pickAt(screen, null)}
          addAtSelection={pickAtSelection}
        />
      )}
      {panel === "finder" && <Finder addNode={pickAtSelection} close={closePanel} />}
      {panel === "shortcuts" && <ShortcutsDialog close={closePanel} />}
      {picking !== null && !isReadOnly && <NodePicker picking={picking} close={() => setPicking(null)} />}
    </InsertContext>
  );
}

const NO_EDGES: FlowEdge[] = [];

function closePanel(): void {
  openPanel(null);
}

/** One constant object: for a new one, React Flow listens for the wheel again and repaints everything. */
const SETTINGS: ReactFlowProps<FlowItem, FlowEdge> = {
  // a click on the empty canvas focuses it, so that the next key is for the canvas
  tabIndex: -1,
  nodeTypes: { operator: OperatorNode, note: NoteNode, frame: NoteNode },
  edgeTypes: { edge: Edge },
  deleteKeyCode: null,
  multiSelectionKeyCode: ["Control", "Meta", "Shift"],
  selectionKeyCode: null,
  selectionOnDrag: true,
  selectionMode: SelectionMode.Partial,
  panOnDrag: [1],
  panOnScroll: true,
  zoomOnDoubleClick: false,
  // a click on an output asks for the next node
  connectOnClick: false,
  minZoom: 0.1,
  maxZoom: 3,
  snapToGrid: true,
  snapGrid: [8, 8],
  connectionRadius: 36,
  // ports lie above the ends of edges: one can be taken beside its port too, but not as far as a short one's middle
  reconnectRadius: 16,
  attributionPosition: "bottom-center",
  ariaLabelConfig: {
    "node.a11yDescription.default":
      "Press Space to select, Enter to set up. Press Tab to add a node after it, Delete to remove it, " +
      "the arrow keys to go to its neighbours, Control with an arrow key to move it.",
    "edge.a11yDescription.default": "Press Enter or Space to select, Delete to remove.",
  },
};

/** Where the pointer rests. A button that is pressed means something else. */
const GLANCING: Pick<
  ReactFlowProps<FlowItem, FlowEdge>,
  "onNodeMouseEnter" | "onNodeMouseLeave" | "onEdgeMouseEnter" | "onEdgeMouseLeave" | "onNodeDragStart" | "onMove"
> = {
  onNodeMouseEnter: ({ buttons }, { id, type }) => {
    if (buttons === 0 && type === "operator") rest({ of: "node", node: id });
  },
  onNodeMouseLeave: leave,
  onEdgeMouseEnter: ({ buttons }, { id, source, target }) => {
    if (buttons !== 0) return;
    pointAt(id);
    rest({ of: "edge", key: id, source, target });
  },
  onEdgeMouseLeave: () => {
    pointAway();
    leave();
  },
  onNodeDragStart: closeGlance,
  onMove: (event) => {
    if (event !== null) giveWay();
  },
};
