import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Catalogue } from "../api/types";
import type { Rules } from "./connecting";
import type { Autosave } from "./saving";
import type { EditorActions, EditorState, EditorStore } from "./store";

/** What every part of the editor shares. */
export interface Editing {
  readonly store: EditorStore;
  readonly autosave: Autosave;
  readonly catalogue: Catalogue;
  readonly rules: Rules;
}

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === null) throw new Error("This component is outside the editor.");
  return editing;
}

/** A part of the editor's state; the component is redrawn when that part changes. */
export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useEditing().store, select);
}

export function useActions(): EditorActions {
  return useEditing().store.getState();
}
