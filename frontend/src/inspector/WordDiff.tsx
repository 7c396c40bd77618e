import { compareWords } from "../editor/comparing/compareWords";
import "./WordDiff.css";

interface Props {
  readonly before: unknown;
  readonly after: unknown;
}

/** A value before and after: removed words are struck out, added words are underlined. */
export function WordDiff({ before, after }: Props) {
  return (
    <p className="word-diff">
      {compareWords(formatValue(before), formatValue(after)).map(({ text, is }, index) => {
        if (is === "removed") return <del key={index}>{text}</del>;
        return is === "added" ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>;
      })}
    </p>
  );
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
