import type { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { useEditorText } from "../expression/useEditorText";
import { readAttributes, type CellAria } from "../form/controls";
import "./CodeBox.css";

interface Props {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly aria: CellAria;
}

/** An editor for Python code, loaded at its first use. */
export function CodeBox({ text, change, aria }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const attributes = JSON.stringify({ ...aria, "aria-multiline": true });
  const onChange = useEffectEvent(change);
  const begin = useEffectEvent(async (parent: HTMLElement) => {
    const { createCodeEditor } = await import("./editor");
    return createCodeEditor(parent, text, readAttributes(attributes), (text) => onChange(text));
  });
  useEffect(() => {
    if (place.current === null) return;
    let isGone = false;
    void begin(place.current).then((view) => {
      if (isGone) view.destroy();
      else editor.current = view;
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);
  useEditorText(editor, text, attributes);
  return <div ref={place} className={aria["aria-invalid"] ? "code-box wrong" : "code-box"} />;
}
