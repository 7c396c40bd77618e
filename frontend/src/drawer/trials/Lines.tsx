interface Props {
  /** The label of the lines. "a line each" follows. */
  readonly label: string;
  readonly placeholder: string;
  readonly lines: string;
  readonly write: (lines: string) => void;
}

/** Records as editable text, one line of JSON each. */
export function Lines({ label, placeholder, lines, write }: Props) {
  return (
    <textarea
      aria-label={`${label}, one per line`}
      placeholder={placeholder}
      spellCheck={false}
      wrap="off"
      value={lines}
      onChange={(event) => write(event.target.value)}
    />
  );
}
