import { useState } from "react";

/** A text as it was typed, for as long as the value is what was made of it; `shown` once it changed elsewhere. */
export function useTypedText(
  value: unknown,
  text: string,
): readonly [text: string, type: (text: string, value: unknown) => void] {
  const [input, setInput] = useState({ text, value });
  return [input.value === value ? input.text : text, (text, value) => setInput({ text, value })];
}
