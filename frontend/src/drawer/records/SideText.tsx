import "./SideText.css";

interface Props {
  readonly label: string;
  readonly text: string | null;
  readonly change: (text: string | null) => void;
  readonly rows: number;
}

/** A key or value to be typed, which may be Kafka's null. */
export function SideText({ label, text, change, rows }: Props) {
  return (
    <div className="edit-side">
      <label>
        <span>{label}</span>
        <textarea
          rows={rows}
          value={text ?? ""}
          disabled={text === null}
          spellCheck={false}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <label className="check">
        <input type="checkbox" checked={text === null} onChange={({ target }) => change(target.checked ? null : "")} />
        null
      </label>
    </div>
  );
}
