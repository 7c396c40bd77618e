import type { ControlProps } from "./control";

/** One of a few words. The default empties the field. */
export function ChoiceControl({ field, value, change, aria }: ControlProps) {
  const fallback = typeof field.fallback === "string" ? field.fallback : "";
  const choice = typeof value === "string" ? value : fallback;
  const choices = choice === "" || field.choices.includes(choice) ? field.choices : [choice, ...field.choices];
  return (
    <select
      className={choice === "" ? "empty" : undefined}
      value={choice}
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
