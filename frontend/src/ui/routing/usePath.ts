import { useSyncExternalStore } from "react";

const MOVED = "streamwright:moved";

/** The path of the address bar, after any kind of change. */
export function usePath(): string {
  return useSyncExternalStore(followMoves, () => window.location.pathname);
}

/** Goes to another screen of this page without reloading it. */
export function openPath(path: string): void {
  if (path === window.location.pathname) return;
  window.history.pushState(null, "", path);
  window.scrollTo(0, 0);
  window.dispatchEvent(new Event(MOVED));
}

/** Calls the listener when the address changes by a link of the page, or by Back and Forward. */
export function followMoves(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(MOVED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(MOVED, listener);
  };
}
