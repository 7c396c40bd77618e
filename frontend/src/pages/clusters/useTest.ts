import { useState } from "react";
import { toRefusal } from "../../api/refusal";

/** The result of a test, in words. */
export interface Answer {
  readonly isGood: boolean;
  readonly text: string;
}

interface Test {
  readonly answer: Answer | null;
  readonly isTesting: boolean;
  readonly test: () => Promise<void>;
}

/** Tests a cluster when asked, and holds the answer. */
export function useTest(ask: () => Promise<Answer>): Test {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isTesting, setTesting] = useState(false);
  const test = async () => {
    setTesting(true);
    setAnswer(null);
    setAnswer(await ask().catch(asAnswer));
    setTesting(false);
  };
  return { answer, isTesting, test };
}

function asAnswer(error: unknown): Answer {
  const { message, hint } = toRefusal(error);
  return { isGood: false, text: `${message} ${hint}` };
}
