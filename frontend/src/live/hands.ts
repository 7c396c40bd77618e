import { useSyncExternalStore } from "react";

/** Whether somebody drags, scrolls or types at this moment: what can wait lets that go first. */
const LINGER_MS = 250;
const USES = ["pointerdown", "pointermove", "wheel", "keydown"] as const;

const RELEASES = ["pointerup", "pointercancel"] as const;

let used = -Infinity;
let pressed = false;
const listeners = new Set<() => void>();

/** From now on `handsAreBusy` knows. */
export function watchHands(): void {
  for (const type of USES) window.addEventListener(type, noted, { capture: true, passive: true });
  window.addEventListener("pointerdown", () => setPressed(true), { capture: true, passive: true });
  for (const type of RELEASES) window.addEventListener(type, () => setPressed(false), { capture: true, passive: true });
}

export function handsAreBusy(): boolean {
  return performance.now() - used < LINGER_MS;
}

/** Whether a pointer is held down. */
export function usePressed(): boolean {
  return useSyncExternalStore(subscribe, () => pressed);
}

function noted(event: Event): void {
  const isHovering = event.type === "pointermove" && (event as PointerEvent).buttons === 0;
  if (isHovering) setPressed(false);
  else used = event.timeStamp;
}

function setPressed(now: boolean): void {
  if (now === pressed) return;
  pressed = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
