import { useReactFlow } from "@xyflow/react";
import { useLayoutEffect } from "react";
import { toggleBypass } from "../../editor/edits/bypassing";
import { move, type Position } from "../../editor/document/document";
import { isNote, listDrawnIds, listNotes, withContents } from "../../editor/edits/notes";
import { removeSelection } from "../../editor/edits/removing";
import { findNeighbour, findReach, type Direction, type Reach } from "../../editor/graph/reaching";
import { fold } from "../../editor/interface/sides";
import { useEditing } from "../../editor/interface/useEditor";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { hasText, isAsking, isTyping } from "../../ui/browser/isTyping";
import { duplicateSelection } from "../moving/copying";
import { findLastAdded, focusNode, focusSelection } from "../flow/focus";
import { askReach, openPanel, renameInPlace, usePanels } from "../flow/panels";
import { focusRegion } from "../flow/regions";
import { useFit } from "../flow/useFit";
import { togglePin } from "../running/pins";
import { useNotes } from "./useNotes";
import { makeWordWatch } from "./words";

interface KeyActions {
  readonly openPicker: () => void;
}

/** Keys that users know from other editors. None works while the user types. */
export function useKeys({ openPicker }: KeyActions): void {
  const { store, ui, autosave, rules } = useEditing();
  const flow = useReactFlow();
  const { fit, fitSelection } = useFit();
  const { addNoteAt, frameSelection, removeFrames } = useNotes();
  const { graph: shown, isReadOnly } = useShownGraph();
  useLayoutEffect(() => {
    const { undo, redo } = store.getState();
    const { select, setUp, openDrawer } = ui.getState();
    const deleteSelection = () => removeSelection({ store, ui, rules });
    const withControl: Readonly<Record<string, (hasShift: boolean) => void>> = {
      z: (hasShift) => (hasShift ? redo() : undo()),
      y: redo,
      a: () => select(listDrawnIds(store.getState().document.graph)),
      g: (hasShift) => (hasShift ? removeFrames() : frameSelection()),
      d: () => duplicateSelection({ store, ui }),
      s: () => void autosave.flush(),
      f: () => openPanel("finder"),
      k: () => openPanel("finder"),
      p: () => openPanel("finder"),
      Enter: () => openDrawer("trial"),
    };
    const alone: typeof withControl = {
      Escape: () => select([]),
      Enter: () => {
        const [only, ...others] = ui.getState().selection.nodes;
        if (only !== undefined && others.length === 0) (isNote(only) ? renameInPlace : setUp)(only);
      },
      Tab: () => {
        // Escape deselects a node and leaves the focus on it
        const focused = document.activeElement?.getAttribute("data-id");
        if (focused != null && ui.getState().selection.nodes.size === 0) select([focused]);
        openPicker();
      },
      Delete: deleteSelection,
      Backspace: deleteSelection,
      b: () => toggleBypass({ store, ui, rules }),
      d: () => toggleBypass({ store, ui, rules }),
      n: () => addNoteAt(),
      p: () => {
        for (const node of ui.getState().selection.nodes) if (!isNote(node)) togglePin({ node, value: "record" });
      },
      F2: () => {
        const [only, ...others] = ui.getState().selection.nodes;
        if (only !== undefined && others.length === 0) renameInPlace(only);
      },
      "[": () => fold("palette"),
      "]": () => fold("inspector"),
      "?": () => openPanel("shortcuts"),
      "+": () => void flow.zoomIn(),
      "-": () => void flow.zoomOut(),
      ".": fitSelection,
      "0": () => void flow.zoomTo(1),
      "1": fit,
    };
    const goTo = (direction: Direction) => {
      const from = [...ui.getState().selection.nodes].at(-1);
      const to = from === undefined ? null : findNeighbour(shown, from, direction);
      if (to === null) return;
      select([to]);
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      focusNode(to);
    };
    const nudge = (direction: Direction, step: number) => {
      const { document } = store.getState();
      const ids = withContents(ui.getState().selection.nodes, document.graph);
      const items = [...document.graph.nodes, ...listNotes(document.graph)].filter(({ id }) => ids.has(id));
      const { x, y } = STEPS[direction];
      const places = items.map(({ id, position }): [string, Position] => [
        id,
        { x: position.x + x * step, y: position.y + y * step },
      ]);
      store.getState().edit(move(new Map(places)), `nudge ${[...ids].join(" ")}`);
    };
    /** Alt+S, then a letter, as in Node-RED. Returns whether the key was part of it. */
    const handleReach = (event: KeyboardEvent): boolean => {
      if (MODIFIERS.has(event.key)) return false;
      const { isReaching } = usePanels.getState();
      if (isReaching) askReach(false);
      const way = isReaching ? REACHES[event.key.toLowerCase()] : undefined;
      if (way !== undefined) select(findReach(shown, ui.getState().selection.nodes, way));
      const isAsked = event.altKey && !event.ctrlKey && !event.metaKey && event.code === "KeyS";
      if (isAsked && ui.getState().selection.nodes.size > 0) askReach(true);
      return way !== undefined || isAsked;
    };
    /** Before React Flow, which moves nodes by arrow keys. */
    const handleArrow = (event: KeyboardEvent) => {
      const direction = ARROWS[event.key];
      const { selection } = ui.getState();
      if (direction === undefined || event.altKey || isAsking() || isTyping(event.target)) return;
      if (!isOnGraph(event.target) && event.target !== document.body) return;
      if (selection.nodes.size === 0) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.ctrlKey || event.metaKey) {
        if (!isReadOnly) nudge(direction, event.shiftKey ? LARGE_STEP : STEP);
      } else if (!event.shiftKey) goTo(direction);
      else if (direction === "left") select(findReach(shown, selection.nodes, "upstream"));
      else if (direction === "right") select(findReach(shown, selection.nodes, "downstream"));
    };
    const isInWord = makeWordWatch((key) => key in alone);
    const handleKey = (event: KeyboardEvent) => {
      const hasControl = event.ctrlKey || event.metaKey;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (isAsking() || event.defaultPrevented) return;
      if (!isTyping(event.target) && !usePanels.getState().isReaching && isInWord(event, findLastAdded())) return;
      if (!isTyping(event.target) && isOnCanvas(event.target) && handleReach(event)) {
        event.preventDefault();
        return;
      }
      if (key === "F6") {
        event.preventDefault();
        focusRegion(event.shiftKey);
        return;
      }
      if (key === "Escape" && isInForm(event.target)) {
        focusSelection(ui);
        return;
      }
      if (key === "Enter" && !hasControl && !isOnNode(event.target)) return;
      if (key === "p" && hasControl && !event.shiftKey) return; // it prints
      if (key === "s" && event.shiftKey && !hasControl && isOnCanvas(event.target) && !isTyping(event.target)) {
        if (!isReadOnly) addNoteAt();
        event.preventDefault();
        return;
      }
      if (key === "Tab" && (event.shiftKey || !isOnGraph(event.target))) return;
      const isAlwaysMeant = hasControl && "sfk".includes(key);
      const isTried = key === "Enter" && isInForm(event.target) && !(event.target instanceof HTMLTextAreaElement);
      const isUndone = key === "z" && isInForm(event.target) && !hasText(event.target);
      const isFree = isTried || isUndone || !isTyping(event.target);
      const isMeantAnywhere = hasControl && ["z", "y", "Enter"].includes(key) && isFree;
      if (!isAlwaysMeant && !isMeantAnywhere && (isTyping(event.target) || !isOnCanvas(event.target))) return;
      if (ui.getState().view !== "draft" && changes(key, hasControl)) return;
      const act = hasControl ? withControl[key] : alone[key];
      if (act === undefined || event.altKey) return;
      event.preventDefault();
      act(event.shiftKey);
    };
    window.addEventListener("keydown", handleArrow, { capture: true });
    window.addEventListener("keydown", handleKey);
    window.addEventListener("pointerdown", endReach);
    return () => {
      window.removeEventListener("pointerdown", endReach);
      window.removeEventListener("keydown", handleArrow, { capture: true });
      window.removeEventListener("keydown", handleKey);
    };
  }, [
    store,
    ui,
    autosave,
    rules,
    flow,
    fit,
    fitSelection,
    openPicker,
    addNoteAt,
    frameSelection,
    removeFrames,
    shown,
    isReadOnly,
  ]);
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const STEPS = { left: { x: -1, y: 0 }, right: { x: 1, y: 0 }, up: { x: 0, y: -1 }, down: { x: 0, y: 1 } };
function endReach(): void {
  askReach(false);
}

const REACHES: Readonly<Record<string, Reach>> = { u: "upstream", d: "downstream", c: "connected" };
const MODIFIERS: ReadonlySet<string> = new Set(["Alt", "Control", "Meta", "Shift"]);
/** A step of the grid, and five. */
const STEP = 8;
const LARGE_STEP = 40;

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
  return hasControl ? "zydg".includes(key) : ["Tab", "Delete", "Backspace", "F2", "Enter", "b", "d", "n"].includes(key);
}
