import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import type { GraphNote } from "../../api/types";
import { remove, type Position } from "../../editor/document/document";
import {
  addNote,
  listNotes,
  makeFrameAround,
  makeNote,
  moveClear,
  setColour,
  type Colour,
} from "../../editor/edits/notes";
import { useEditing } from "../../editor/interface/useEditor";
import { renameInPlace } from "../flow/panels";
import { measureCanvas } from "../flow/room";

export interface Notes {
  /** A note at a place of the screen, or in the middle of the view. */
  readonly addNoteAt: (screen?: Position) => void;
  /** A frame around the selection. */
  readonly frameSelection: () => void;
  /** Removes the selected frames, and leaves what is in them. */
  readonly removeFrames: () => void;
  readonly setSelectionColour: (colour: Colour | null) => void;
}

/** Draws what only readers use: notes, frames and colours. */
export function useNotes(): Notes {
  const { store, ui } = useEditing();
  const flow = useReactFlow();
  return useMemo(() => {
    const draw = (note: GraphNote) => {
      store.getState().edit(addNote(note));
      ui.getState().select([note.id]);
      renameInPlace(note.id);
    };
    return {
      addNoteAt: (screen) => {
        const note = makeNote(flow.screenToFlowPosition(screen ?? findMiddleOfCanvas()));
        draw(screen === undefined ? moveClear(store.getState().document.graph.nodes, note) : note);
      },
      frameSelection: () => {
        const frame = makeFrameAround(ui.getState().selection.nodes, store.getState().document.graph);
        if (frame !== null) draw(frame);
      },
      removeFrames: () => {
        const { nodes } = ui.getState().selection;
        const notes = listNotes(store.getState().document.graph);
        const frames = notes.filter(({ id, kind }) => kind === "frame" && nodes.has(id)).map(({ id }) => id);
        if (frames.length > 0) store.getState().edit(remove(new Set(frames), new Set()));
      },
      setSelectionColour: (colour) => store.getState().edit(setColour(ui.getState().selection.nodes, colour)),
    };
  }, [store, ui, flow]);
}

function findMiddleOfCanvas(): Position {
  const box = measureCanvas();
  return { x: box.x + box.width / 2 - 120, y: box.y + box.height / 3 };
}
