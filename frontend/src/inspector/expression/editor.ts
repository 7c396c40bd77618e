/**
 * The text editor of an expression: completion, brackets, its own undo. Tab and Enter take an offer. Without one,
 * Tab leaves the field and Enter does nothing; Shift+Enter breaks the line.
 */
import {
  acceptCompletion,
  autocompletion,
  completionStatus,
  closeBrackets,
  closeBracketsKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { history, historyKeymap, insertNewline, standardKeymap } from "@codemirror/commands";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, type KeyBinding } from "@codemirror/view";
import type { FunctionHelp } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";
import { colours } from "./colours";
import { Echoes } from "./echoes";
import { findOffers, type Offer, type Scope } from "./names";

/** Words for completion. They change during the editor's life. */
export interface Vocabulary {
  readonly scope: Scope;
  readonly functions: readonly FunctionHelp[];
}

export interface Finding {
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly fix: { readonly label: string; readonly apply: () => void } | null;
}

const fromOutside = Annotation.define<boolean>();
const echoesOf = new WeakMap<EditorView, Echoes>();
const labelling = new Compartment();

export function createExpressionEditor(
  parent: HTMLElement,
  text: string,
  attributes: Readonly<Record<string, string>>,
  lookUp: () => Vocabulary,
  onChange: (text: string) => void,
  onCompleting: (isCompleting: boolean) => void,
): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        makeTyping(lookUp),
        makeCommonExtension(attributes, MAX_LENGTHS.expression, onChange),
        EditorView.updateListener.of(({ state, startState }) => {
          const before = completionStatus(startState) === "active";
          const now = completionStatus(state) === "active";
          if (now !== before) onCompleting(now);
        }),
      ],
    }),
  });
}

/** Common parts of every editor: an accessible name, the page's nonce, and a listener. */
export function makeCommonExtension(
  attributes: Readonly<Record<string, string>>,
  longest: number,
  onChange: (text: string) => void,
): Extension {
  return [
    EditorState.changeFilter.of((change) => change.newDoc.length <= longest),
    EditorView.cspNonce.of(readNonce()),
    labelling.of(EditorView.contentAttributes.of(attributes)),
    EditorView.updateListener.of((update) => {
      const isFromOutside = update.transactions.some((each) => each.annotation(fromOutside) === true);
      if (!update.docChanged || isFromOutside) return;
      const text = update.state.doc.toString();
      const echoes = echoesOf.get(update.view) ?? new Echoes();
      echoesOf.set(update.view, echoes);
      echoes.tell(text);
      onChange(text);
    }),
  ];
}

/** Gives the editor an accessible name. */
export function nameEditor(view: EditorView, attributes: Readonly<Record<string, string>>): void {
  view.dispatch({ effects: labelling.reconfigure(EditorView.contentAttributes.of(attributes)) });
}

/** The form was drawn with this text. */
export function settle(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) echoesOf.get(view)?.settle();
}

/**
 * The form has another text. If it changed elsewhere (an undo of the page, a fix, another row), the editor takes it,
 * and its own undo can revert it. What the user typed comes back too, and may be older than what they see.
 */
export function take(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (echoesOf.get(view)?.isEcho(text) === true || now === text) return;
  view.dispatch({ changes: { from: 0, to: now.length, insert: text }, annotations: fromOutside.of(true) });
}

/** Writes a name at the cursor, apart from the word before it. */
export function insert(view: EditorView, name: string): void {
  const { from, to } = view.state.selection.main;
  const isInWord = /[\w`]/.test(view.state.sliceDoc(Math.max(0, from - 1), from));
  const text = `${isInWord ? " " : ""}${name}`;
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
  view.focus();
}

/** Underlines errors of a text. If the user has typed on, they belong elsewhere, and the next check brings its own. */
export function mark(view: EditorView, text: string, found: readonly Finding[]): void {
  const findings = view.state.doc.toString() === text ? found : [];
  const marks = findings.map(({ from, to, message, fix }) => ({
    from,
    to,
    message: message.replaceAll("`", ""),
    severity: "error" as const,
    actions: fix === null ? [] : [{ name: fix.label.replaceAll("`", ""), apply: fix.apply }],
  }));
  view.dispatch(setDiagnostics(view.state, marks));
}

function makeTyping(lookUp: () => Vocabulary): Extension {
  const keys = [
    { key: "Tab", run: acceptCompletion },
    { key: "Enter", run: () => true },
    { key: "Shift-Enter", run: insertNewline },
  ];
  return [
    history(),
    closeBrackets(),
    autocompletion({ override: [complete(lookUp)], icons: false, maxRenderedOptions: 60 }),
    keymap.of([...keys, ...closeBracketsKeymap, ...historyKeymap.map(passOn), ...standardKeymap]),
    EditorView.lineWrapping,
    colours,
  ];
}

/** Where the editor has nothing to undo, the page has: perhaps the node itself, which was just added. */
function passOn(binding: KeyBinding): KeyBinding {
  return { ...binding, preventDefault: false };
}

function complete(lookUp: () => Vocabulary) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const { scope, functions } = lookUp();
    const completions = findOffers(state.sliceDoc(0, pos), scope, functions, explicit);
    if (completions === null || completions.offers.length === 0) return null;
    return { from: completions.from, options: completions.offers.map(makeCompletion), validFor: /^`?\w*$/ };
  };
}

const FIRST = { field: 3, name: 2, function: 1, word: 0 } as const;

function makeCompletion({ label, text, detail, help, kind }: Offer): Completion {
  return {
    label,
    ...(kind === "field" && text.includes(".") && { displayLabel: text }),
    detail,
    boost: FIRST[kind],
    apply: kind === "function" ? call(label) : text,
    ...(help === "" ? {} : { info: help }),
  };
}

/** Inserts a call with the cursor between its brackets. Existing brackets stay. */
function call(name: string) {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const isOpen = view.state.sliceDoc(to, to + 1) === "(";
    const insert = isOpen ? name : `${name}()`;
    const selection = { anchor: from + name.length + 1 };
    view.dispatch({ changes: { from, to, insert }, selection, userEvent: "input.complete" });
  };
}

/** The nonce with which the page's security policy allows the editor's style sheet. */
function readNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}
