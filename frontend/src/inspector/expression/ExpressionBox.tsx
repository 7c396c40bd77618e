import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import type { EditorView } from "@codemirror/view";
import type { Issue } from "../../api/types";
import { readAttributes, type CellAria } from "../form/controls";
import { createDocumentStore, mark, nameEditor, take, type Finding, type Vocabulary } from "./editor";
import { askFunctions } from "./functionHelp";
import { convertSpan } from "./span";
import type { TextCheck } from "./useTextCheck";
import "./ExpressionBox.css";

interface Props {
  readonly text: string;
  readonly check: TextCheck | null;
  readonly issues: readonly Issue[];
  readonly change: (text: string) => void;
  readonly aria: CellAria;
  readonly placeholder: string;
  /** Content right of the text. */
  readonly aside?: ReactNode;
}

const NOTHING: Vocabulary = { scope: { names: {}, spread: null }, functions: [] };

/** CodeMirror in React: created once, then updated. */
export function ExpressionBox({ text, check, issues, change, aria, placeholder, aside }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const vocabulary = useRef(NOTHING);
  const attributes = JSON.stringify({ ...aria, "aria-placeholder": placeholder || undefined });

  const onChange = useEffectEvent(change);
  const begin = useEffectEvent((parent: HTMLElement) =>
    createDocumentStore(parent, text, readAttributes(attributes), () => vocabulary.current, (text) => onChange(text)),
  );
  useEffect(() => {
    if (place.current === null) return;
    const view = begin(place.current);
    editor.current = view;
    void askFunctions().then((functions) => {
      vocabulary.current = { ...vocabulary.current, functions };
    });
    return () => view.destroy();
  }, []);

  useEffect(() => {
    if (check === null) return;
    const { names, spread } = check.answer;
    vocabulary.current = { ...vocabulary.current, scope: { names, spread } };
  }, [check]);
  useEffect(() => {
    if (editor.current !== null) nameEditor(editor.current, readAttributes(attributes));
  }, [attributes]);
  useEffect(() => {
    if (editor.current === null) return;
    take(editor.current, text);
    const findings = check?.text === text ? listFindings(issues, text, (replacement) => onChange(replacement)) : [];
    mark(editor.current, findings);
  }, [text, issues, check]);

  return (
    <div className={aria["aria-invalid"] ? "expression-box wrong" : "expression-box"}>
      <div ref={place} className="editor" />
      {text === "" && <span className="placeholder" aria-hidden="true">{placeholder}</span>}
      {aside}
    </div>
  );
}

/** The parts to underline: issues about a part of the present text. */
function listFindings(issues: readonly Issue[], text: string, change: (text: string) => void): readonly Finding[] {
  return issues.flatMap(({ message, span, fix }) => {
    if (span === null) return [];
    const [from, to] = convertSpan(text, span);
    const action = fix && { label: fix.label, apply: () => change(fix.replacement) };
    return from < to ? [{ from, to, message, fix: action }] : [];
  });
}
