import { NodeResizeControl, type NodeProps } from "@xyflow/react";
import { lazy, memo, Suspense, useEffectEvent, useLayoutEffect, useRef, type KeyboardEvent } from "react";
import type { GraphNote } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";
import { placeNote, writeNote } from "../../editor/edits/notes";
import { useDocumentActions } from "../../editor/interface/useEditor";
import type { FlowNote } from "../flow/flow";
import { focusNode } from "../flow/focus";
import { DifferenceBorder } from "./Marks";
import { renameInPlace, usePanels } from "../flow/panels";
import "../../ui/style/tints.css";
import "./NoteNode.css";

const Markdown = lazy(() => import("./Markdown"));
const SMALLEST = { minWidth: 96, minHeight: 48 };

/** A note, or the frame around some nodes: Markdown for readers only. */
export const NoteNode = memo(function NoteNode({ data: { note }, selected, draggable }: NodeProps<FlowNote>) {
  const { edit } = useDocumentActions();
  const isWritten = usePanels(({ renaming }) => renaming === note.id);
  const names = ["note", note.kind, selected ? "selected" : "", `tint-${note.colour ?? "none"}`];
  return (
    <div className={names.join(" ")}>
      {isWritten ? <Writing note={note} /> : <Text note={note} canWrite={draggable} />}
      <DifferenceBorder id={note.id} />
      {selected && draggable && (
        <NodeResizeControl
          {...SMALLEST}
          position="bottom-right"
          className="note-corner"
          onResizeEnd={(_, area) => edit(placeNote(note.id, area))}
        />
      )}
    </div>
  );
});

function Text({ note, canWrite }: { readonly note: GraphNote; readonly canWrite: boolean }) {
  const label = note.kind === "frame" ? "Frame" : "Note";
  return (
    <div className="note-text">
      {note.text.trim() === "" ? (
        <p className="quiet">{canWrite ? `${label}. Double-click to write.` : label}</p>
      ) : (
        <Suspense fallback={<p>{note.text}</p>}>
          <Markdown text={note.text} />
        </Suspense>
      )}
    </div>
  );
}

/** The field for the text. Whatever ends it keeps what was written. Undo removes the whole edit. */
function Writing({ note: { id, text } }: { readonly note: GraphNote }) {
  const { edit } = useDocumentActions();
  const area = useRef<HTMLTextAreaElement>(null);
  const keep = useEffectEvent((written: string) => edit(writeNote(id, written)));
  useLayoutEffect(() => {
    const field = area.current;
    // also if the page is left by a key, or the note out of view: then no event tells that the focus is lost
    return () => {
      if (field !== null) keep(field.value);
    };
  }, []);
  const leave = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.blur();
    focusNode(id);
  };
  return (
    <textarea
      ref={area}
      className="nodrag nopan nowheel"
      aria-label="Text in Markdown"
      placeholder="Markdown"
      maxLength={MAX_LENGTHS.note}
      autoFocus
      defaultValue={text}
      onKeyDown={leave}
      onBlur={() => renameInPlace(null)}
    />
  );
}
