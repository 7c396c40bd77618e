import type { GraphNote } from "../api/types";
import { findTitle } from "../editor/edits/notes";
import { ColourChoice } from "./ColourChoice";

/** A note or a frame: its colour, and its use. */
export function NoteInspector({ note, isReadOnly }: { readonly note: GraphNote; readonly isReadOnly: boolean }) {
  const isFrame = note.kind === "frame";
  return (
    <header className="part">
      <h2 className="title">{findTitle(note)}</h2>
      {!isReadOnly && <ColourChoice ids={new Set([note.id])} colour={note.colour ?? null} />}
      <p className="lead">
        {isFrame
          ? "Drag its title to move it with the nodes inside. Deleting it leaves them."
          : "A note in Markdown. It does not affect the job."}
      </p>
      {!isReadOnly && <p className="lead">Double-click to write, drag the corner to resize.</p>}
    </header>
  );
}
