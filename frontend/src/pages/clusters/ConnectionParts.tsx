import { MECHANISMS } from "../../api/values";
import type { Part, Settings } from "./connection";

interface Props {
  readonly parts: readonly Part[];
  readonly form: Settings;
  readonly change: (part: Pick<Settings, "texts">) => void;
}

/** The settings of a connection, as fields. */
export function ConnectionParts({ parts, form: { texts, secrets }, change }: Props) {
  return parts.map((part) => (
    <ConnectionPart
      key={part.setting}
      part={part}
      text={texts[part.setting]}
      isKept={secrets.has(part.setting)}
      write={(text) => change({ texts: { ...texts, [part.setting]: text } })}
    />
  ));
}

interface PartProps {
  readonly part: Part;
  readonly text: string | undefined;
  /** The server has this secret, and keeps it while the field is empty. */
  readonly isKept: boolean;
  readonly write: (text: string) => void;
}

/** One setting of a connection. Users can write secrets, but never read them. */
function ConnectionPart({ part: { setting, label, kind, isOptional }, text, isKept, write }: PartProps) {
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
