import type { ControlProps } from "./control";
import { readText } from "./paths";

/** A line of text, with suggestions if some are usual. An empty one has no value. */
export function TextControl({ field, value, change, aria }: ControlProps) {
  const words = field.choices.length > 0 ? `${aria.id}-words` : undefined;
  return (
    <>
      <input
        type="text"
        spellCheck={false}
        autoComplete="off"
        list={words}
        placeholder={field.whenEmpty || readText(field.fallback)}
        value={readText(value)}
        onChange={(event) => change(event.target.value || undefined)}
        {...aria}
      />
      {words !== undefined && (
        <datalist id={words}>
          {field.choices.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </>
  );
}
