interface Props {
  /** Whose lines they are; "a line each" follows. */
  readonly label: string;
  readonly placeholder: string;
  readonly lines: string;
  readonly write: (lines: string) => void;
}

/** Records as text that is edited, a line of JSON each. */
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
