import type { ControlProps } from "./control";

/** One of a few words. Choosing what holds anyway empties the field. */
export function ChoiceControl({ field, value, change, aria }: ControlProps) {
  const fallback = typeof field.fallback === "string" ? field.fallback : "";
  const chosen = typeof value === "string" ? value : fallback;
  const choices = chosen === "" || field.choices.includes(chosen) ? field.choices : [chosen, ...field.choices];
  return (
    <select
      className={chosen === "" ? "empty" : undefined}
      value={chosen}
      onChange={({ target }) => change(target.value === fallback ? undefined : target.value)}
      {...aria}
    >
      {fallback === "" && <option value="">{field.whenEmpty || "Choose…"}</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}
