import type { ControlProps } from "./control";
import "./SegmentsControl.css";

/** One of few words, all to be seen. Choosing what holds anyway empties the field. */
export function SegmentsControl({ field, value, change, aria }: ControlProps) {
  const { id, ...named } = aria;
  const chosen = value ?? field.fallback;
  const isKnown = typeof chosen !== "string" || field.choices.includes(chosen);
  const choices = isKnown ? field.choices : [chosen, ...field.choices];
  return (
    <div role="radiogroup" id={id} className="segments" {...named}>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={id}
            checked={choice === chosen}
            onChange={() => change(choice === field.fallback ? undefined : choice)}
          />
          <span>{choice.replaceAll("_", " ")}</span>
        </label>
      ))}
    </div>
  );
}
