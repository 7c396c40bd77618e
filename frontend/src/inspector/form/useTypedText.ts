import { useState } from "react";

/** The typed text while its value is the current one. Otherwise `shown`, because the value changed elsewhere. */
export function useTypedText(
  value: unknown,
  text: string,
): readonly [text: string, type: (text: string, value: unknown) => void] {
  const [input, setInput] = useState({ text, value });
  return [input.value === value ? input.text : text, (text, value) => setInput({ text, value })];
}
