import { useState, useSyncExternalStore } from "react";

const CHANGES = ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const;
const EARLY = { capture: true, passive: true };
let isDown = false;

/** The value; while a pointer is held down the one there was before, as no one reads a form while dragging. */
export function useRestingValue<T>(value: T): T {
  const [snapshot, setSnapshot] = useState(value);
  const isHeld = useSyncExternalStore(subscribe, isPressed);
  if (!isHeld && snapshot !== value) setSnapshot(value);
  return isHeld ? snapshot : value;
}

function isPressed(): boolean {
  return isDown;
}

function subscribe(listener: () => void): () => void {
  function note(event: PointerEvent): void {
    // a release outside of the window shows only in the next move
    isDown = event.type !== "pointercancel" && event.buttons !== 0;
    listener();
  }
  for (const type of CHANGES) window.addEventListener(type, note, EARLY);
  return () => {
    for (const type of CHANGES) window.removeEventListener(type, note, EARLY);
  };
}
