import { useState, useSyncExternalStore } from "react";

const CHANGES = ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const;
const EARLY = { capture: true, passive: true };
let isDown = false;

/** The value. While a pointer is held down, the former one: no one reads a form during a drag. */
export function useRestingValue<T>(value: T): T {
  const [snapshot, setSnapshot] = useState(value);
  const isHeld = useSyncExternalStore(subscribe, isPressed, isPressed);
  if (!isHeld && snapshot !== value) setSnapshot(value);
  return isHeld ? snapshot : value;
}

function isPressed(): boolean {
  return isDown;
}

function subscribe(listener: () => void): () => void {
  function note(event: PointerEvent): void {
    // the page learns of a release outside the window only at the next move
    isDown = event.type !== "pointercancel" && event.buttons !== 0;
    listener();
  }
  for (const type of CHANGES) window.addEventListener(type, note, EARLY);
  return () => {
    for (const type of CHANGES) window.removeEventListener(type, note, EARLY);
  };
}
