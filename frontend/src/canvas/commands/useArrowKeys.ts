import { useEffectEvent, useLayoutEffect } from "react";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { move, type Position } from "../../editor/document/document";
import { listNotes, withContents } from "../../editor/edits/notes";
import { findNeighbour, findReach, type Direction } from "../../editor/graph/reaching";
import { useEditing } from "../../editor/interface/useEditor";
import { isAsking, isTyping } from "../../ui/browser/isTyping";
import { focusNode } from "../flow/focus";
import { isOnGraph } from "./focused";

/** Arrow keys go to a neighbour of the selection. With Ctrl they move it, with Shift they add all before or behind. */
export function useArrowKeys(): void {
  const { store, ui } = useEditing();
  const { graph: shown, isReadOnly } = useShownGraph();
  const { select } = ui.getState();
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
  const handleArrow = useEffectEvent((event: KeyboardEvent) => {
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
  });
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => handleArrow(event);
    // before React Flow, which moves nodes by arrow keys
    window.addEventListener("keydown", handle, { capture: true });
    return () => window.removeEventListener("keydown", handle, { capture: true });
  }, []);
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const STEPS = { left: { x: -1, y: 0 }, right: { x: 1, y: 0 }, up: { x: 0, y: -1 }, down: { x: 0, y: 1 } };
/** A step of the grid, and five. */
const STEP = 8;
const LARGE_STEP = 40;
