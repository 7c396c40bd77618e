import type { Verdict } from "../../api/types";
import "../../ui/display/Status.css";
import { WORDS } from "./cases";

/** The result of a test case, in its colour. */
export function VerdictWord({ verdict }: { readonly verdict: Verdict["verdict"] | undefined }) {
  if (verdict === undefined) return <span className="status">Not tried</span>;
  const { word, tone } = WORDS[verdict];
  return <span className={`status ${tone}`}>{word}</span>;
}
