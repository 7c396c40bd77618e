import { useState } from "react";

/** A text as it was typed, for as long as the value is what was made of it; `shown` once it changed elsewhere. */
export function useTyped(
  value: unknown,
  shown: string,
): readonly [text: string, type: (text: string, value: unknown) => void] {
  const [typed, setTyped] = useState({ text: shown, value });
  return [typed.value === value ? typed.text : shown, (text, value) => setTyped({ text, value })];
}
