import { useMemo } from "react";
import { formatAmount } from "../../ui/text/format";
import { countBytes } from "../../ui/text/content";
import { compact } from "../../ui/text/json";

const MAX_LENGTH = 400;

/** A key or value on one line: JSON without spaces, null as a word, bytes as a count. */
export function Content({ text, isBase64 }: { readonly text: string | null; readonly isBase64: boolean }) {
  const line = useMemo(() => (text === null || isBase64 ? "" : compact(text).slice(0, MAX_LENGTH)), [text, isBase64]);
  if (text === null) return <i className="quiet">null</i>;
  if (isBase64) return <i className="quiet">{formatAmount(countBytes(text), "byte")}, no text</i>;
  return text === "" ? <i className="quiet">empty</i> : <code>{line}</code>;
}
