import { useReactFlow, useStore } from "@xyflow/react";
import { useMotion } from "./motion";
import { useFit } from "../flow/useFit";
import { useTidy } from "./useTidy";
import "./Controls.css";

/** Zoom, fit, tidy, and the animation of edges. */
export function Controls({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const flow = useReactFlow();
  const { fit } = useFit();
  const zoom = useStore(({ transform }) => Math.round(transform[2] * 100));
  const { isMoving, setMoving } = useMotion();
  const tidy = useTidy();
  return (
    <div className="canvas-controls" role="toolbar" aria-label="Canvas view">
      <button type="button" aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
        −
      </button>
      <button type="button" className="number" title="Zoom to 100 % (0)" onClick={() => void flow.zoomTo(1)}>
        {zoom} %
      </button>
      <button type="button" aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
        +
      </button>
      <button type="button" title="Show the whole topology (1)" onClick={fit}>
        Fit
      </button>
      <button type="button" title="Lay out from left to right" disabled={isReadOnly} onClick={() => void tidy()}>
        Tidy
      </button>
      <button type="button" aria-pressed={isMoving} title="Animate edges" onClick={() => setMoving(!isMoving)}>
        Motion
      </button>
    </div>
  );
}
