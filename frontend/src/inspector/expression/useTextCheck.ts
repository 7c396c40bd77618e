import { useEffect, useRef, useState } from "react";
import type { ExpressionCheck } from "../../api/types";
import { useDocument, useEditing } from "../../editor/interface/useEditor";
import { askOnce } from "./asking";

const PAUSE_MS = 200;

export interface TextCheck {
  /** The text of the answer. */
  readonly text: string;
  readonly answer: ExpressionCheck;
}

/** The server's answer about an expression during typing, with its possible names. Null before the first answer. */
export function useTextCheck(node: string, field: string, text: string): TextCheck | null {
  const { store } = useEditing();
  const arriving = useDocument(({ checkResult }) => JSON.stringify(checkResult?.nodes[node]?.inputs));
  const [check, setCheck] = useState<TextCheck | null>(null);
  const turns = useRef({ questions: 0, answers: 0 });
  useEffect(() => {
    const ask = async () => {
      const turn = (turns.current.questions += 1);
      try {
        const answer = await askOnce(store.getState().document, node, field, text);
        if (turn < turns.current.answers) return;
        turns.current.answers = turn;
        setCheck({ text, answer });
      } catch {
        // the row is gone, or the server is unreachable: the checks of the whole graph report it
      }
    };
    // the first request starts at once, so that it can offer names from the first letter
    const timer = setTimeout(() => void ask(), turns.current.questions === 0 ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [store, node, field, text, arriving]);
  return check;
}
