const SIGNS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" };

/** What two graphs differ in, a line for each change, as `manage.py diff` prints it. */
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
