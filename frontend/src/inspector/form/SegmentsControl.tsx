import type { ControlProps } from "./control";
import "./SegmentsControl.css";

/** One of few words, all visible. The default empties the field. */
export function SegmentsControl({ field, value, change, aria }: ControlProps) {
  const { id, ...label } = aria;
  const current = value ?? field.fallback;
  const isKnown = typeof current !== "string" || field.choices.includes(current);
  const choices = isKnown ? field.choices : [current, ...field.choices];
  return (
    <div role="radiogroup" id={id} className="segments" {...label}>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={id}
            checked={choice === current}
            onChange={() => change(choice === field.fallback ? undefined : choice)}
          />
          <span>{choice.replaceAll("_", " ")}</span>
        </label>
      ))}
    </div>
  );
}
