import type { ReactNode } from "react";
import "./SideText.css";

interface Props {
  readonly label: string;
  readonly text: string | null;
  readonly change: (text: string | null) => void;
  readonly rows: number;
  /** Content below the box for null, such as a format. */
  readonly children?: ReactNode;
}

/** A field for a key or value, which may be Kafka's null until something is written. */
export function SideText({ label, text, change, rows, children }: Props) {
  return (
    <div className="edit-side">
      <label>
        <span>{label}</span>
        <textarea
          rows={rows}
          value={text ?? ""}
          placeholder={text === null ? "null" : ""}
          spellCheck={false}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <div className="beside controls">
        {children}
        <label className="check">
          <input
            type="checkbox"
            checked={text === null}
            onChange={({ target }) => change(target.checked ? null : "")}
          />
          null
        </label>
      </div>
    </div>
  );
}
