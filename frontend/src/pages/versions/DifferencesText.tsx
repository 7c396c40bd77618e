const SIGNS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" };

/** The differences of two graphs, one line per change, as `manage.py diff` prints them. */
export function DifferencesText({ text }: { readonly text: string }) {
  if (text === "") return <p className="quiet">No difference.</p>;
  return (
    <pre className="differences" tabIndex={0} aria-label="Lines that differ">
      {text.split("\n").map((line, index) => (
        <span key={index} className={SIGNS[line.charAt(0)]}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}
