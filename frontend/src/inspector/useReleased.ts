import { useState, useSyncExternalStore } from "react";

const CHANGES = ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const;
const EARLY = { capture: true, passive: true };
let pressed = false;

/** The value; while a pointer is held down the one there was before, as nobody reads a form while dragging. */
export function useReleased<T>(value: T): T {
  const [released, setReleased] = useState(value);
  const held = useSyncExternalStore(subscribe, isPressed);
  if (!held && released !== value) setReleased(value);
  return held ? released : value;
}

function isPressed(): boolean {
  return pressed;
}

function subscribe(listener: () => void): () => void {
  function noted(event: PointerEvent): void {
    // a release outside of the window shows only in the next move
    pressed = event.type !== "pointercancel" && event.buttons !== 0;
    listener();
  }
  for (const type of CHANGES) window.addEventListener(type, noted, EARLY);
  return () => {
    for (const type of CHANGES) window.removeEventListener(type, noted, EARLY);
  };
}
