/** The colours of the page: the system's, light or dark. This browser remembers them. */
import { create } from "zustand";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const NAME = "streamwright:theme";

export const useTheme = create<{ readonly theme: Theme }>()(() => ({ theme: readTheme() }));

/** The stylesheet does the rest (style/tokens.css). */
export function applyTheme(theme = useTheme.getState().theme): void {
  document.documentElement.dataset.theme = theme;
  useTheme.setState({ theme });
  try {
    localStorage.setItem(NAME, theme);
  } catch {
    // forbidden: next time they are the system's
  }
}

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? "system";
  } catch {
    return "system";
  }
}
