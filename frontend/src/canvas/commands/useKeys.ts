import { useEffectEvent, useLayoutEffect, useState } from "react";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { findReach, type Reach } from "../../editor/graph/reaching";
import { useEditing } from "../../editor/interface/useEditor";
import { isAsking, isTyping } from "../../ui/browser/isTyping";
import { findLastAdded } from "../flow/focus";
import { askReach, usePanels } from "../flow/panels";
import { isOnCanvas } from "./focused";
import { useArrowKeys } from "./useArrowKeys";
import { nameKeys, useShortcuts } from "./useShortcuts";
import { makeWordWatch } from "./words";

interface KeyActions {
  readonly openPicker: () => void;
}

/** Handles the keys of the canvas: arrow keys, Alt+S with a letter, and shortcuts. */
export function useKeys({ openPicker }: KeyActions): void {
  const { ui } = useEditing();
  const { graph: shown, isReadOnly } = useShownGraph();
  const shortcuts = useShortcuts(openPicker);
  const [isInWord] = useState(() => makeWordWatch((key) => key.toUpperCase() in shortcuts));
  useArrowKeys();
  /** Alt+S, then a letter, as in Node-RED. Returns whether the key was part of it. */
  const handleReach = (event: KeyboardEvent): boolean => {
    if (MODIFIERS.has(event.key)) return false;
    const { isReaching } = usePanels.getState();
    if (isReaching) askReach(false);
    const way = isReaching ? REACHES[event.key.toLowerCase()] : undefined;
    const { select, selection } = ui.getState();
    if (way !== undefined) select(findReach(shown, selection.nodes, way));
    const isAsked = event.altKey && !event.ctrlKey && !event.metaKey && event.code === "KeyS";
    if (isAsked && selection.nodes.size > 0) askReach(true);
    return way !== undefined || isAsked;
  };
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (isAsking() || event.defaultPrevented) return;
    if (!isTyping(target)) {
      if (!usePanels.getState().isReaching && isInWord(event, findLastAdded())) return;
      if (isOnCanvas(target) && handleReach(event)) {
        event.preventDefault();
        return;
      }
    }
    const shortcut = shortcuts[nameKeys(event)];
    if (shortcut === undefined || event.altKey || !shortcut.isMeant(target)) return;
    if (shortcut.isEdit && isReadOnly) return;
    event.preventDefault();
    shortcut.act(target);
  });
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener("keydown", handle);
    window.addEventListener("pointerdown", endReach);
    return () => {
      window.removeEventListener("pointerdown", endReach);
      window.removeEventListener("keydown", handle);
    };
  }, []);
}

function endReach(): void {
  askReach(false);
}

const REACHES: Readonly<Record<string, Reach>> = { u: "upstream", d: "downstream", c: "connected" };
const MODIFIERS: ReadonlySet<string> = new Set(["Alt", "Control", "Meta", "Shift"]);
