import { MiniMap, useOnViewportChange, useStore, type ReactFlowState } from "@xyflow/react";
import { useEffect, useState } from "react";
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
  if (corner === null) return null;
  const name = ({ type = "" }) => type;
  return <MiniMap pannable zoomable position={corner} ariaLabel="Overview" nodeClassName={name} />;
}

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
