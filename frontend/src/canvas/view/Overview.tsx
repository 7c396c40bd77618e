import { MiniMap, useOnViewportChange, useStore, type ReactFlowState } from "@xyflow/react";
import { useCallback, useEffect, useState } from "react";
import { useSides } from "../../editor/interface/sides";
import type { Rect } from "../flow/fit";
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
        const room = measureRoom(state, covered);
        return listOnScreen(state).some((node) => isBeyond(node, room));
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
      (state: ReactFlowState): Corner | null => findFreeCorner(listOnScreen(state), measureRoom(state, covered)),
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

function listOnScreen({ nodes, transform: [x, y, zoom] }: ReactFlowState): readonly Rect[] {
  return nodes
    .filter(({ type }) => type === "operator")
    .map(({ position, width: across = 0, height: down = 0 }) => ({
      x: position.x * zoom + x,
      y: position.y * zoom + y,
      width: across * zoom,
      height: down * zoom,
    }));
}
