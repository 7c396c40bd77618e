import type { ControlProps } from "./control";
import { textOf } from "./paths";

/** A line of text; an empty one is no value. */
export function TextControl({ field, value, change, aria }: ControlProps) {
  return (
    <input
      type="text"
      spellCheck={false}
      autoComplete="off"
      placeholder={field.whenEmpty}
      value={textOf(value)}
      onChange={(event) => change(event.target.value || undefined)}
      {...aria}
    />
  );
}
