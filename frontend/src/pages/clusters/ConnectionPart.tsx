import { MECHANISMS } from "../../api/values";
import type { Part } from "./connection";

interface Props {
  readonly part: Part;
  readonly text: string | undefined;
  /** The server has this secret, and keeps it while the field is empty. */
  readonly isKept: boolean;
  readonly write: (text: string) => void;
}

/** One setting of a connection. Users can write secrets, but never read them. */
export function ConnectionPart({ part: { setting, label, kind, isOptional }, text, isKept, write }: Props) {
  const hint = isKept ? "saved; type to replace it" : isOptional ? "optional" : "";
  return (
    <label title={setting}>
      <span>{label}</span>
      {kind === "mechanism" && (
        <select value={text ?? MECHANISMS[0]} onChange={(event) => write(event.target.value)}>
          {MECHANISMS.map((mechanism) => (
            <option key={mechanism}>{mechanism}</option>
          ))}
        </select>
      )}
      {kind === "pem" && (
        <textarea
          rows={3}
          value={text ?? ""}
          placeholder={hint === "" ? "-----BEGIN …" : `${hint}, as -----BEGIN …`}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => write(event.target.value)}
        />
      )}
      {(kind === "text" || kind === "password") && (
        <input
          type={kind}
          value={text ?? ""}
          placeholder={hint}
          autoComplete={kind === "password" ? "new-password" : "off"}
          onChange={(event) => write(event.target.value)}
        />
      )}
    </label>
  );
}
