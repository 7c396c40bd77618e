import type { EditorView } from "@codemirror/view";
import { useEffect, type RefObject } from "react";
import { readAttributes } from "../form/controls";
import { nameEditor, settle, take } from "./editor";

/** Keeps an editor, once it is there, up to date with its form: its text, and its attributes as JSON. */
export function useEditorText(editor: RefObject<EditorView | null>, text: string, attributes: string): void {
  useEffect(() => {
    if (editor.current !== null) nameEditor(editor.current, readAttributes(attributes));
  }, [editor, attributes]);
  useEffect(() => {
    if (editor.current !== null) take(editor.current, text);
  }, [editor, text]);
  useEffect(() => {
    if (editor.current !== null) settle(editor.current, text);
  });
}
