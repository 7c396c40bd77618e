import { Prose } from "../../ui/messages/Prose";
import type { Answer } from "./useTest";

/** The result of a test, below the tested address. */
export function TestAnswer({ answer }: { readonly answer: Answer | null }) {
  if (answer === null) return null;
  return (
    <small className={answer.isGood ? "good" : "bad"} role="status">
      <Prose text={answer.text} />
    </small>
  );
}
