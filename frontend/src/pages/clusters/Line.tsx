import type { HTMLInputTypeAttribute } from "react";

interface Props {
  readonly label: string;
  readonly text: string;
  readonly write: (text: string) => void;
  readonly hint?: string;
  readonly help?: string;
  readonly type?: HTMLInputTypeAttribute;
  readonly disabled?: boolean;
}

/** One field of a connection. */
export function Line({ label, text, write, hint, help, type = "text", disabled }: Props) {
  return (
    <label title={help}>
      <span>{label}</span>
      <input
        type={type}
        value={text}
        placeholder={hint}
        disabled={disabled}
        min={type === "number" ? 1 : undefined}
        autoComplete={type === "password" ? "new-password" : "off"}
        spellCheck={false}
        onChange={(event) => write(event.target.value)}
      />
    </label>
  );
}
