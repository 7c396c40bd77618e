import { applyTheme, THEMES, useTheme, type Theme } from "../browser/theme";
import "./ThemeChoice.css";

const WORDS: Readonly<Record<Theme, string>> = { system: "System theme", light: "Light", dark: "Dark" };

/** Light, dark, or the choice of the system. */
export function ThemeChoice() {
  const theme = useTheme(({ theme }) => theme);
  return (
    <select
      className="theme"
      aria-label="Theme"
      title="Theme"
      value={theme}
      onChange={({ target }) => applyTheme(target.value as Theme)}
    >
      {THEMES.map((theme) => (
        <option key={theme} value={theme}>
          {WORDS[theme]}
        </option>
      ))}
    </select>
  );
}
