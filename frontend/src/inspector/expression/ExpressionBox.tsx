import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type ReactNode } from "react";
import type { EditorView } from "@codemirror/view";
import type { Issue } from "../../api/types";
import { readAttributes, type CellAria } from "../form/controls";
import { createExpressionEditor, insert, mark, type Finding, type Vocabulary } from "./editor";
import { askFunctions } from "./functionHelp";
import { listNames } from "./names";
import { convertSpan } from "./span";
import { useEditorText } from "./useEditorText";
import type { TextCheck } from "./useTextCheck";
import "./ExpressionBox.css";

interface Props {
  readonly text: string;
  readonly check: TextCheck | null;
  readonly issues: readonly Issue[];
  readonly change: (text: string) => void;
  /** Called when the list of completions opens or closes. */
  readonly onCompleting: (isCompleting: boolean) => void;
  readonly aria: CellAria;
  readonly placeholder: string;
  /** Content right of the text. */
  readonly aside?: ReactNode;
}

const NOTHING: Vocabulary = { scope: { names: {}, spread: null }, functions: [] };

/** CodeMirror in React: created once, then updated. */
export function ExpressionBox({ text, check, issues, change, onCompleting, aria, placeholder, aside }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const [wasFocused, setFocused] = useState(false);
  const vocabulary = useRef(NOTHING);
  const attributes = JSON.stringify({ ...aria, "aria-placeholder": placeholder || undefined });

  const onChange = useEffectEvent(change);
  const onOffer = useEffectEvent(onCompleting);
  const begin = useEffectEvent((parent: HTMLElement) =>
    createExpressionEditor(
      parent,
      text,
      readAttributes(attributes),
      () => vocabulary.current,
      (text) => onChange(text),
      (isCompleting) => onOffer(isCompleting),
    ),
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
  useEditorText(editor, text, attributes);
  useEffect(() => {
    if (editor.current === null) return;
    const findings = check?.text === text ? listFindings(issues, text, (replacement) => onChange(replacement)) : [];
    mark(editor.current, text, findings);
  }, [text, issues, check]);

  return (
    <div onFocus={() => setFocused(true)}>
      <div className={aria["aria-invalid"] ? "expression-box wrong" : "expression-box"}>
        <div ref={place} className="editor" />
        {text === "" && <span className="placeholder" aria-hidden="true">{placeholder}</span>}
        {aside}
      </div>
      {check !== null && (wasFocused || text === "") && (
        <NameChips names={listNames(check.answer)} insert={(name) => editor.current && insert(editor.current, name)} />
      )}
    </div>
  );
}

const MAX_CHIPS = 8;

interface NameChipsProps {
  readonly names: readonly string[];
  readonly insert: (name: string) => void;
}

/**
 * The fields of the record, to be written by a click. They are shown where nothing is written yet and where the user
 * wrote. They stay after the focus leaves: a row that goes away would move what the pointer is just pressing.
 */
function NameChips({ names, insert }: NameChipsProps) {
  const [isOpen, setOpen] = useState(false);
  if (names.length === 0) return null;
  const shown = isOpen ? names : names.slice(0, MAX_CHIPS);
  // the editor keeps the focus and its cursor
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  return (
    <div className="name-chips" role="group" aria-label="Fields of the record" onMouseDown={keepFocus}>
      {shown.map((name) => (
        <button key={name} type="button" tabIndex={-1} onClick={() => insert(name)}>
          {name}
        </button>
      ))}
      {shown.length < names.length && (
        <button type="button" tabIndex={-1} className="more" onClick={() => setOpen(true)}>
          {names.length - shown.length} more
        </button>
      )}
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
