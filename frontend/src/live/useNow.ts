import { useSyncExternalStore } from "react";

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

/** The time in milliseconds, renewed once a second for all users of the hook, and never in a hidden tab. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}

/** What `read` makes of that time. The component renders again only when this changes. */
export function useTimed<Value extends number | string | boolean | null>(read: (now: number) => Value): Value {
  return useSyncExternalStore(subscribe, () => read(now));
}

function read(): number {
  return now;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = window.setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}
