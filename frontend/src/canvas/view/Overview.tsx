import { Panel, useOnViewportChange, useReactFlow, useStore, type ReactFlowState } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState, type PointerEvent, type WheelEvent } from "react";
import { drawBoxes, findView, frame, makeBox, SIZE } from "./overviewMap";
import { findFreeCorner, type Corner } from "./overviewPlace";

const LINGER_MS = 1_200;

/** The whole graph in a corner, shown while the view moves and briefly after, or under the pointer. */
export function Overview() {
  const [isMoving, setMoving] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [stops, setStops] = useState(0);
  useOnViewportChange({ onStart: () => setMoving(true), onEnd: () => setStops((times) => times + 1) });
  useEffect(() => {
    const timer = window.setTimeout(() => setMoving(false), LINGER_MS);
    return () => window.clearTimeout(timer);
  }, [stops]);
  if (!isMoving && !isHeld) return null;
  return (
    <div onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <Corners />
    </div>
  );
}

/** Never over a node: it moves to another corner, or disappears. */
function Corners() {
  const corner = useStore(chooseCorner);
  return corner !== null && <OverviewMap corner={corner} />;
}

/** Drag in it to move the view, turn the wheel over it to zoom. */
function OverviewMap({ corner }: { readonly corner: Corner }) {
  const flow = useReactFlow();
  const nodes = useStore((state) => state.nodes);
  const transform = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const boxes = useMemo(() => nodes.map(makeBox), [nodes]);
  const drawn = useMemo(() => {
    const isNode = (_: unknown, at: number) => nodes[at]?.type === "operator";
    return {
      nodes: drawBoxes(boxes.filter(isNode)),
      notes: drawBoxes(boxes.filter((box, at) => !isNode(box, at))),
    };
  }, [nodes, boxes]);
  const view = findView(transform, width, height);
  const shown = frame([...boxes, view]);

  const held = useRef({ x: 0, y: 0, scale: 1 });
  const begin = ({ clientX, clientY, currentTarget, pointerId }: PointerEvent) => {
    currentTarget.setPointerCapture(pointerId);
    // what the overview shows changes with the view: under a held pointer, the scale stays
    const scale = shown.scale * transform[2];
    held.current = { x: transform[0] + clientX * scale, y: transform[1] + clientY * scale, scale };
  };
  const go = ({ clientX, clientY, buttons }: PointerEvent) => {
    if (buttons !== 1) return;
    const { x, y, scale } = held.current;
    void flow.setViewport({ x: x - clientX * scale, y: y - clientY * scale, zoom: transform[2] });
  };
  const zoom = ({ deltaY }: WheelEvent) => void flow.zoomTo(transform[2] * 2 ** (-deltaY / ZOOM_PX));
  return (
    <Panel position={corner} className="react-flow__minimap">
      <svg
        {...SIZE}
        className="react-flow__minimap-svg"
        viewBox={`${shown.x} ${shown.y} ${shown.width} ${shown.height}`}
        role="img"
        aria-label="Overview"
        onPointerDown={begin}
        onPointerMove={go}
        onWheel={zoom}
      >
        <path className="react-flow__minimap-node note" d={drawn.notes} />
        <path className="react-flow__minimap-node" d={drawn.nodes} />
        <path className="react-flow__minimap-mask" fillRule="evenodd" d={drawBoxes([shown, view])} />
      </svg>
    </Panel>
  );
}

/** Turns of the wheel, in px, that double the zoom. */
const ZOOM_PX = 500;

function chooseCorner({ nodes, transform: [x, y, zoom], width, height }: ReactFlowState): Corner | null {
  const onScreen = nodes
    .filter(({ type }) => type === "operator")
    .map(({ position, width: across = 0, height: down = 0 }) => ({
      x: position.x * zoom + x,
      y: position.y * zoom + y,
      width: across * zoom,
      height: down * zoom,
    }));
  return findFreeCorner(onScreen, { width, height });
}
