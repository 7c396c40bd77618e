import { MiniMap, useOnViewportChange, useStore, type ReactFlowState } from "@xyflow/react";
import { useCallback, useEffect, useState } from "react";
import { useSides } from "../../editor/interface/sides";
import { bound, type Rect } from "../../editor/layout/rects";
import { findFreeCorner, isBeyond, type Corner } from "./overviewPlace";

const LINGER_MS = 1_200;

/**
 * The whole graph in a corner: while a part of it is out of view, while the view moves and briefly after, and under
 * the pointer.
 */
export function Overview() {
  const covered = useSides((sides) => sides.covered);
  const [isMoving, setMoving] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [stops, setStops] = useState(0);
  useOnViewportChange({ onStart: () => setMoving(true), onEnd: () => setStops((times) => times + 1) });
  useEffect(() => {
    const timer = window.setTimeout(() => setMoving(false), LINGER_MS);
    return () => window.clearTimeout(timer);
  }, [stops]);
  const hidesSome = useStore(
    useCallback(
      (state: ReactFlowState) => {
        const whole = findWhole(state.nodes);
        return whole !== null && isBeyond(toScreen(whole, state), measureRoom(state, covered));
      },
      [covered],
    ),
  );
  if (!isMoving && !isHeld && !hidesSome) return null;
  return (
    <div onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <Corners covered={covered} />
    </div>
  );
}

/** Never over a node: it moves to another corner, or disappears. */
function Corners({ covered }: { readonly covered: number }) {
  const corner = useStore(
    useCallback(
      (state: ReactFlowState): Corner | null =>
        findFreeCorner(listRects(state.nodes).map((rect) => toScreen(rect, state)), measureRoom(state, covered)),
      [covered],
    ),
  );
  if (corner === null) return null;
  const name = ({ type = "" }) => type;
  return <MiniMap pannable zoomable position={corner} ariaLabel="Overview" nodeClassName={name} />;
}

/** The part of the canvas beside the inspector. */
function measureRoom({ width, height }: ReactFlowState, covered: number): Pick<Rect, "width" | "height"> {
  return { width: width - covered, height };
}

const rectsByNodes = new WeakMap<ReactFlowState["nodes"], readonly Rect[]>();

/** The places of the nodes on the canvas. Computed once for a list of nodes, of which the view asks with each move. */
function listRects(nodes: ReactFlowState["nodes"]): readonly Rect[] {
  const known = rectsByNodes.get(nodes);
  if (known !== undefined) return known;
  const rects = nodes
    .filter(({ type }) => type === "operator")
    .map(({ position: { x, y }, width = 0, height = 0 }) => ({ x, y, width, height }));
  rectsByNodes.set(nodes, rects);
  return rects;
}

const wholes = new WeakMap<ReactFlowState["nodes"], Rect>();

/** The smallest rectangle around the nodes, or null without any. */
function findWhole(nodes: ReactFlowState["nodes"]): Rect | null {
  const rects = listRects(nodes);
  if (rects.length === 0) return null;
  const whole = wholes.get(nodes) ?? bound(rects);
  wholes.set(nodes, whole);
  return whole;
}

function toScreen(rect: Rect, { transform: [x, y, zoom] }: ReactFlowState): Rect {
  return { x: rect.x * zoom + x, y: rect.y * zoom + y, width: rect.width * zoom, height: rect.height * zoom };
}
