import { useSyncExternalStore } from "react";

const DARK = "(prefers-color-scheme: dark)";

/** Which colour scheme holds; what is painted by script is repainted when it changes. */
export function useScheme(): "light" | "dark" {
  return useSyncExternalStore(subscribe, () => (window.matchMedia(DARK).matches ? "dark" : "light"));
}

function subscribe(changed: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
