import { useEffect, useRef, type RefObject } from "react";

/** Whether Alt was held as the pointer was last released: what was dragged is copied then. */
export function useAltDrop(): RefObject<boolean> {
  const held = useRef(false);
  useEffect(() => {
    const noted = (event: PointerEvent | KeyboardEvent) => {
      held.current = event.type === "pointerup" && event.altKey;
    };
    window.addEventListener("pointerup", noted, true);
    window.addEventListener("keydown", noted, true);
    return () => {
      window.removeEventListener("pointerup", noted, true);
      window.removeEventListener("keydown", noted, true);
    };
  }, []);
  return held;
}
