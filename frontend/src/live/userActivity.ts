/** Whether the user drags, scrolls or types at this moment: other work can wait. */
const LINGER_MS = 250;
const USES = ["pointerdown", "pointermove", "wheel", "keydown"] as const;

let lastUse = -Infinity;

/** Starts the measurement for `isUserActive`. */
export function watchUserActivity(): void {
  for (const type of USES) window.addEventListener(type, note, { capture: true, passive: true });
}

export function isUserActive(): boolean {
  return performance.now() - lastUse < LINGER_MS;
}

function note(event: Event): void {
  const isHovering = event.type === "pointermove" && (event as PointerEvent).buttons === 0;
  if (!isHovering) lastUse = event.timeStamp;
}
