/** Which colours the page has: the system's, light or dark; remembered by this browser. */
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
    // forbidden: it is the system's again next time
  }
}

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(NAME)) ?? "system";
  } catch {
    return "system";
  }
}
