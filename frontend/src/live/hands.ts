/** Whether someone drags, scrolls or types at this moment: what can wait lets that go first. */
const LINGER_MS = 250;
const USES = ["pointerdown", "pointermove", "wheel", "keydown"] as const;

let lastUse = -Infinity;

/** From now on `handsAreBusy` knows. */
export function watchHands(): void {
  for (const type of USES) window.addEventListener(type, note, { capture: true, passive: true });
}

export function handsAreBusy(): boolean {
  return performance.now() - lastUse < LINGER_MS;
}

function note(event: Event): void {
  const isHovering = event.type === "pointermove" && (event as PointerEvent).buttons === 0;
  if (!isHovering) lastUse = event.timeStamp;
}
