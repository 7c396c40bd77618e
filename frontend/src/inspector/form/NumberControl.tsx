import type { ControlProps } from "./control";
import { useTypedText } from "./useTypedText";

/** A whole number. An empty field has no value. */
export function NumberControl({ field, value, change, aria }: ControlProps) {
  const [text, type] = useTypedText(value, typeof value === "number" ? String(value) : "");
  return (
    <input
      type="number"
      inputMode="numeric"
      step={1}
      min={field.minimum}
      max={field.maximum}
      placeholder={typeof field.fallback === "number" ? String(field.fallback) : field.whenEmpty}
      value={text}
      onChange={(event) => {
        const number = event.target.value === "" ? undefined : Number(event.target.value);
        type(event.target.value, number);
        change(number);
      }}
      {...aria}
    />
  );
}
