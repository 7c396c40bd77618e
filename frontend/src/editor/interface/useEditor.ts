import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Catalogue } from "../../api/types";
import type { Rules } from "../edges/connecting";
import type { Autosave } from "../saving/saving";
import type { DocumentActions, DocumentState, DocumentStore } from "../document/documentStore";
import type { InterfaceActions, InterfaceState, InterfaceStore } from "./interfaceStore";

/** State that every part of the editor shares. */
export interface Editing {
  readonly store: DocumentStore;
  readonly ui: InterfaceStore;
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

/** A part of the document's state. The component is redrawn when that part changes. */
export function useDocument<T>(select: (state: DocumentState) => T): T {
  return useStore(useEditing().store, select);
}

export function useDocumentActions(): DocumentActions {
  return useEditing().store.getState();
}

/** A part of the view's state. The component is redrawn when that part changes. */
export function useInterface<T>(select: (state: InterfaceState) => T): T {
  return useStore(useEditing().ui, select);
}

/** Whether the canvas shows the draft, and the user may change it. */
export function canDraw({ store, ui }: Pick<Editing, "store" | "ui">): boolean {
  return ui.getState().view === "draft" && store.getState().whyReadOnly === null;
}

export function useInterfaceActions(): InterfaceActions {
  return useEditing().ui.getState();
}
