import { Prose } from "../../parts/messages/Prose";
import type { Answer } from "./useTest";

/** What a test found, below the address that was tested. */
export function TestAnswer({ answer }: { readonly answer: Answer | null }) {
  if (answer === null) return null;
  return (
    <small className={answer.isGood ? "good" : "bad"} role="status">
      <Prose text={answer.text} />
    </small>
  );
}
