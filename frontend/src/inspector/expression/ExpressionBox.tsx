import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import type { EditorView } from "@codemirror/view";
import type { Issue } from "../../api/types";
import type { Named } from "../form/control";
import { createDocumentStore, label, mark, take, type Finding, type Known } from "./editor";
import { offeredFunctions } from "./offered";
import { placesOf } from "./span";
import type { Checked } from "./useChecked";
import "./ExpressionBox.css";

interface Props {
  readonly text: string;
  readonly checked: Checked | null;
  readonly issues: readonly Issue[];
  readonly change: (text: string) => void;
  readonly aria: Named;
  readonly placeholder: string;
  /** What stands right of the text. */
  readonly aside?: ReactNode;
}

const NOTHING: Known = { scope: { names: {}, spread: null }, functions: [] };

/** CodeMirror in React: made once, told what changed. */
export function ExpressionBox({ text, checked, issues, change, aria, placeholder, aside }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const known = useRef(NOTHING);
  const attributes = JSON.stringify({ ...aria, "aria-placeholder": placeholder || undefined });

  const onChange = useEffectEvent(change);
  const begin = useEffectEvent((parent: HTMLElement) =>
    createDocumentStore(parent, text, attributesIn(attributes), () => known.current, (text) => onChange(text)),
  );
  useEffect(() => {
    if (place.current === null) return;
    const view = begin(place.current);
    editor.current = view;
    void offeredFunctions().then((functions) => {
      known.current = { ...known.current, functions };
    });
    return () => view.destroy();
  }, []);

  useEffect(() => {
    if (checked === null) return;
    const { names, spread } = checked.answer;
    known.current = { ...known.current, scope: { names, spread } };
  }, [checked]);
  useEffect(() => {
    if (editor.current !== null) label(editor.current, attributesIn(attributes));
  }, [attributes]);
  useEffect(() => {
    if (editor.current === null) return;
    take(editor.current, text);
    mark(editor.current, checked?.text === text ? findings(issues, text, (fixed) => onChange(fixed)) : []);
  }, [text, issues, checked]);

  return (
    <div className={aria["aria-invalid"] ? "expression-box wrong" : "expression-box"}>
      <div ref={place} className="editor" />
      {text === "" && <span className="placeholder" aria-hidden="true">{placeholder}</span>}
      {aside}
    </div>
  );
}

function attributesIn(json: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(JSON.parse(json) as Named).map(([name, value]) => [name, String(value)]));
}

/** What to underline: issues that mean a part of the text as it is now. */
function findings(issues: readonly Issue[], text: string, change: (text: string) => void): readonly Finding[] {
  return issues.flatMap(({ message, span, fix }) => {
    if (span === null) return [];
    const [from, to] = placesOf(text, span);
    const applied = fix && { label: fix.label, apply: () => change(fix.replacement) };
    return from < to ? [{ from, to, message, fix: applied }] : [];
  });
}
