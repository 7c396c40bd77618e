import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { toggleBypass } from "../../editor/edits/bypassing";
import { isNote } from "../../editor/edits/notes";
import { removeSelection } from "../../editor/edits/removing";
import { fold } from "../../editor/interface/sides";
import { canDraw, useEditing } from "../../editor/interface/useEditor";
import { hasText, isTyping } from "../../ui/browser/isTyping";
import { duplicateSelection } from "../moving/copying";
import { focusSelection } from "../flow/focus";
import { openPanel, renameInPlace } from "../flow/panels";
import { focusRegion } from "../flow/regions";
import { useFit } from "../flow/useFit";
import { togglePin } from "../running/pins";
import { isInForm, isOnCanvas, isOnGraph, isOnNode } from "./focused";
import { useNotes } from "./useNotes";

export interface Shortcut {
  /** Whether the key is meant for it, by the element that has the focus. */
  readonly isMeant: (focused: EventTarget | null) => boolean;
  /** Whether it changes the draft. It then does nothing while the canvas is read-only. */
  readonly isEdit: boolean;
  readonly act: (focused: EventTarget | null) => void;
}

/** Shortcuts by their keys, as `nameKeys` writes them. */
export type Shortcuts = Readonly<Partial<Record<string, Shortcut>>>;

type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey">;

/** "Ctrl+Shift+Z" for an event. Shift is left out where it makes another character, as for `?`. */
export function nameKeys({ key, ctrlKey, metaKey, shiftKey }: Keys): string {
  const isSymbol = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  const name = key.length === 1 ? key.toUpperCase() : key;
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${shiftKey && !isSymbol ? "Shift+" : ""}${name}`;
}

/** All shortcuts of the canvas but the arrow keys, which users know from other editors. */
export function useShortcuts(openPicker: () => void): Shortcuts {
  const { store, ui, autosave, rules } = useEditing();
  const flow = useReactFlow();
  const { fit, fitSelection } = useFit();
  const { addNoteAt, frameSelection, removeFrames } = useNotes();
  return useMemo(() => {
    const { undo, redo } = store.getState();
    const { select, setUp, openDrawer } = ui.getState();
    const edit = (act: () => void, isMeant = isAtCanvas): Shortcut => ({ isMeant, isEdit: true, act });
    const look = (act: () => void, isMeant = isAtCanvas): Shortcut => ({ isMeant, isEdit: false, act });
    const withOnlySelected = (act: (id: string) => void) => () => {
      const [only, ...others] = ui.getState().selection.nodes;
      if (only !== undefined && others.length === 0) act(only);
    };
    const remove = edit(() => removeSelection({ store, ui, rules }));
    const bypass = edit(() => toggleBypass({ store, ui, rules }));
    const note = edit(() => addNoteAt());
    const find = look(() => openPanel("finder"), () => true);
    return {
      "Ctrl+Z": edit(undo, isFreeForUndo),
      "Ctrl+Shift+Z": edit(redo, isFreeForUndo),
      "Ctrl+Y": edit(redo, isOutsideText),
      "Ctrl+A": look(() => select(flow.getNodes().map(({ id }) => id))),
      "Ctrl+D": edit(() => duplicateSelection({ store, ui })),
      "Ctrl+G": edit(frameSelection),
      "Ctrl+Shift+G": edit(removeFrames),
      "Ctrl+S": look(() => void autosave.flush(), () => true),
      "Ctrl+F": find,
      "Ctrl+K": find,
      "Ctrl+Shift+P": find,
      "Ctrl+Enter": look(() => openDrawer("trial"), isFreeForTrial),
      Escape: {
        isMeant: (focused) => isInForm(focused) || isAtCanvas(focused),
        isEdit: false,
        act: (focused) => (isInForm(focused) ? focusSelection(ui) : select([])),
      },
      Enter: look(
        withOnlySelected((id) => {
          if (!isNote(id)) setUp(id);
          else if (canDraw({ store, ui })) renameInPlace(id);
        }),
        isOnNode,
      ),
      F2: edit(withOnlySelected(renameInPlace)),
      Tab: edit(() => {
        // Escape deselects a node and leaves the focus on it
        const focused = document.activeElement?.getAttribute("data-id");
        if (focused != null && ui.getState().selection.nodes.size === 0) select([focused]);
        openPicker();
      }, isAtGraph),
      Delete: remove,
      Backspace: remove,
      B: bypass,
      D: bypass,
      N: note,
      "Shift+S": note,
      P: look(() => {
        for (const node of ui.getState().selection.nodes) if (!isNote(node)) togglePin({ node, value: "record" });
      }),
      F6: look(() => focusRegion(false), () => true),
      "Shift+F6": look(() => focusRegion(true), () => true),
      "[": look(() => fold("palette")),
      "]": look(() => fold("inspector")),
      "?": look(() => openPanel("shortcuts")),
      "+": look(() => void flow.zoomIn()),
      "-": look(() => void flow.zoomOut()),
      ".": look(fitSelection),
      "0": look(() => void flow.zoomTo(1)),
      "1": look(fit),
    };
  }, [store, ui, autosave, rules, flow, fit, fitSelection, openPicker, addNoteAt, frameSelection, removeFrames]);
}

const isOutsideText = (focused: EventTarget | null) => !isTyping(focused);
const isAtCanvas = (focused: EventTarget | null) => isOutsideText(focused) && isOnCanvas(focused);
const isAtGraph = (focused: EventTarget | null) => isOutsideText(focused) && isOnGraph(focused);
/** In a field with text, the browser undoes what was typed there. */
const isFreeForUndo = (focused: EventTarget | null) =>
  isOutsideText(focused) || (isInForm(focused) && !hasText(focused));
/** Several lines of text take Enter themselves. */
const isFreeForTrial = (focused: EventTarget | null) =>
  isOutsideText(focused) || (isInForm(focused) && !(focused instanceof HTMLTextAreaElement));
