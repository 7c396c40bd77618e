import { MiniMap, useOnViewportChange } from "@xyflow/react";
import { useEffect, useState } from "react";

const LINGER_MS = 1_200;

/** The whole drawing in a corner, shown while the view moves and a moment longer, or while the pointer is on it. */
export function Overview() {
  const [moving, setMoving] = useState(false);
  const [held, setHeld] = useState(false);
  const [stopped, setStopped] = useState(0);
  useOnViewportChange({ onStart: () => setMoving(true), onEnd: () => setStopped((times) => times + 1) });
  useEffect(() => {
    const timer = window.setTimeout(() => setMoving(false), LINGER_MS);
    return () => window.clearTimeout(timer);
  }, [stopped]);
  if (!moving && !held) return null;
  return (
    <div onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <MiniMap pannable zoomable ariaLabel="Overview" nodeClassName={({ type = "" }) => type} />
    </div>
  );
}
