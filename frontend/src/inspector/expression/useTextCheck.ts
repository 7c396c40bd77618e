import { useEffect, useRef, useState } from "react";
import { checkExpression } from "../../api/calls";
import type { ExpressionCheck } from "../../api/types";
import { useDocument, useEditing } from "../../editor/interface/useEditor";

const PAUSE_MS = 200;

export interface TextCheck {
  /** The text the answer is about. */
  readonly text: string;
  readonly answer: ExpressionCheck;
}

/** What the server says of an expression as it is typed, and of the names it may use; null before the first answer. */
export function useTextCheck(node: string, field: string, text: string): TextCheck | null {
  const { store } = useEditing();
  const arriving = useDocument(({ checkResult }) => JSON.stringify(checkResult?.nodes[node]?.inputs));
  const [check, setCheck] = useState<TextCheck | null>(null);
  const turns = useRef({ questions: 0, answers: 0 });
  useEffect(() => {
    const ask = async () => {
      const turn = (turns.current.questions += 1);
      try {
        const answer = await checkExpression(store.getState().document, node, field, text);
        if (turn < turns.current.answers) return;
        turns.current.answers = turn;
        setCheck({ text, answer });
      } catch {
        // the row is gone, or the web is away: the checks of the whole graph say so
      }
    };
    // the first question is asked at once, so that its names can be offered from the first letter on
    const timer = setTimeout(() => void ask(), turns.current.questions === 0 ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [store, node, field, text, arriving]);
  return check;
}
