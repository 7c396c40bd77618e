import { useEffect, useRef, type RefObject } from "react";

/** Whether Alt was held when the pointer was last released. The dragged items are then copied. */
export function useAltDrop(): RefObject<boolean> {
  const isHeld = useRef(false);
  useEffect(() => {
    const note = (event: PointerEvent | KeyboardEvent) => {
      isHeld.current = event.type === "pointerup" && event.altKey;
    };
    window.addEventListener("pointerup", note, true);
    window.addEventListener("keydown", note, true);
    return () => {
      window.removeEventListener("pointerup", note, true);
      window.removeEventListener("keydown", note, true);
    };
  }, []);
  return isHeld;
}
