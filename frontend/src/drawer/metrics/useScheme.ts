import { useSyncExternalStore } from "react";
import { useTheme } from "../../ui/browser/theme";

const DARK = "(prefers-color-scheme: dark)";

/** The current colour scheme. Content painted by script is repainted when it changes. */
export function useScheme(): "light" | "dark" {
  const theme = useTheme(({ theme }) => theme);
  const ofSystem = useSyncExternalStore(subscribe, () => (window.matchMedia(DARK).matches ? "dark" : "light"));
  return theme === "system" ? ofSystem : theme;
}

function subscribe(notify: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener("change", notify);
  return () => query.removeEventListener("change", notify);
}
