import { useReactFlow } from "@xyflow/react";
import { useLayoutEffect } from "react";
import { toggleBypass } from "../../editor/edits/bypassing";
import { isNote, listDrawnIds } from "../../editor/edits/notes";
import { removeSelection } from "../../editor/edits/removing";
import { fold } from "../../editor/interface/sides";
import { useEditing } from "../../editor/interface/useEditor";
import { isAsking, isTyping } from "../../ui/browser/isTyping";
import { duplicateSelection } from "../moving/copying";
import { focusSelection } from "../flow/focus";
import { openPanel, renameInPlace } from "../flow/panels";
import { focusRegion } from "../flow/regions";
import { useFit } from "../flow/useFit";
import { useNotes } from "./useNotes";

interface KeyActions {
  readonly openPicker: () => void;
}

/** Keys that users know from other editors. None works while the user types. */
export function useKeys({ openPicker }: KeyActions): void {
  const { store, ui, autosave, rules } = useEditing();
  const flow = useReactFlow();
  const { fit } = useFit();
  const { addNoteAt, frameSelection } = useNotes();
  useLayoutEffect(() => {
    const { undo, redo } = store.getState();
    const { select, setUp } = ui.getState();
    const deleteSelection = () => removeSelection({ store, ui, rules });
    const withControl: Readonly<Record<string, (hasShift: boolean) => void>> = {
      z: (hasShift) => (hasShift ? redo() : undo()),
      y: redo,
      a: () => select(listDrawnIds(store.getState().document.graph)),
      g: frameSelection,
      d: () => duplicateSelection({ store, ui }),
      s: () => void autosave.flush(),
      f: () => openPanel("finder"),
      k: () => openPanel("finder"),
    };
    const alone: typeof withControl = {
      Escape: () => select([]),
      Enter: () => {
        const [only, ...others] = ui.getState().selection.nodes;
        if (only !== undefined && others.length === 0) (isNote(only) ? renameInPlace : setUp)(only);
      },
      Tab: openPicker,
      Delete: deleteSelection,
      Backspace: deleteSelection,
      b: () => toggleBypass({ store, ui, rules }),
      n: () => addNoteAt(),
      F2: () => {
        const [only, ...others] = ui.getState().selection.nodes;
        if (only !== undefined && others.length === 0) renameInPlace(only);
      },
      "[": () => fold("palette"),
      "]": () => fold("inspector"),
      "?": () => openPanel("shortcuts"),
      "+": () => void flow.zoomIn(),
      "-": () => void flow.zoomOut(),
      "0": () => void flow.zoomTo(1),
      "1": fit,
    };
    const handleKey = (event: KeyboardEvent) => {
      const hasControl = event.ctrlKey || event.metaKey;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (isAsking() || event.defaultPrevented) return;
      if (key === "F6") {
        event.preventDefault();
        focusRegion(event.shiftKey);
        return;
      }
      if (key === "Escape" && isInForm(event.target)) {
        focusSelection(ui.getState().selection.nodes);
        return;
      }
      if (key === "Enter" && !isOnNode(event.target)) return;
      if (key === "Tab" && (event.shiftKey || !isOnGraph(event.target))) return;
      const isAlwaysMeant = hasControl && "sfk".includes(key);
      const isMeantAnywhere = hasControl && "zy".includes(key) && !isTyping(event.target);
      if (!isAlwaysMeant && !isMeantAnywhere && (isTyping(event.target) || !isOnCanvas(event.target))) return;
      if (ui.getState().view !== "draft" && changes(key, hasControl)) return;
      const act = hasControl ? withControl[key] : alone[key];
      if (act === undefined || event.altKey) return;
      event.preventDefault();
      act(event.shiftKey);
    };
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, [store, ui, autosave, rules, flow, fit, openPicker, addNoteAt, frameSelection]);
}

/** Whether a key is meant for the canvas: the focus is nowhere, or on the canvas. */
function isOnCanvas(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest(".canvas") !== null);
}

/** Whether the focus is in the graph and not in a panel above it. Tab adds a node only there. */
function isOnGraph(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".react-flow") !== null;
}

function isOnNode(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(".react-flow__node");
}

/** Whether Escape leaves a field for its node. In code it first gives Tab back. */
function isInForm(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".inspector") !== null && target.closest(".code-box") === null;
}

function changes(key: string, hasControl: boolean): boolean {
  return hasControl ? "zydg".includes(key) : ["Tab", "Delete", "Backspace", "F2", "Enter", "b", "n"].includes(key);
}
