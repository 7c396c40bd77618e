import { useReactFlow, useStoreApi, type Transform } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, type RefObject } from "react";
import { useSides } from "../../editor/interface/sides";

/** The view before the inspector covered a part of the canvas, and the one that made room for it. */
export interface LentView {
  readonly beforeRef: RefObject<Transform | null>;
  readonly movedRef: RefObject<Transform | null>;
  /** Notes that the view has just moved to make room for the inspector. */
  readonly noteMoved: () => void;
}

/** Keeps the view from before the inspector opens. Call it before the hooks that move the view. */
export function useLentView(): LentView {
  const api = useStoreApi();
  const isCovered = useSides((sides) => sides.covered > 0);
  const beforeRef = useRef<Transform | null>(null);
  const movedRef = useRef<Transform | null>(null);
  useLayoutEffect(() => {
    if (isCovered) beforeRef.current = api.getState().transform;
  }, [api, isCovered]);
  const noteMoved = useCallback(() => {
    if (useSides.getState().covered > 0) movedRef.current = api.getState().transform;
  }, [api]);
  return useMemo(() => ({ beforeRef, movedRef, noteMoved }), [noteMoved]);
}

/** Gives the view back when the inspector closes, unless it moved meanwhile. Call it after those hooks. */
export function useGivingBack({ beforeRef, movedRef }: LentView): void {
  const flow = useReactFlow();
  const api = useStoreApi();
  const isCovered = useSides((sides) => sides.covered > 0);
  useEffect(() => {
    if (isCovered) return;
    const isOurs = movedRef.current !== null && areEqual(movedRef.current, api.getState().transform);
    if (beforeRef.current !== null && isOurs) {
      const [x, y, zoom] = beforeRef.current;
      void flow.setViewport({ x, y, zoom });
    }
    beforeRef.current = null;
    movedRef.current = null;
  }, [flow, api, isCovered, beforeRef, movedRef]);
}

function areEqual(one: Transform, other: Transform): boolean {
  return one.every((value, place) => value === other[place]);
}
