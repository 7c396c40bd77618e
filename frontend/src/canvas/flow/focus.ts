import { findNode } from "../../editor/document/document";
import { followTypes } from "../../editor/graph/ports";
import { useSides } from "../../editor/interface/sides";
import type { Editing } from "../../editor/interface/useEditor";
import { findNeededField } from "../../inspector/form/fields";

/**
 * Selects a node that the user just added, and puts the focus where they go on: into the first setting that it needs,
 * as n8n opens the settings of a new node, so that what they type next is text and no shortcut. A node that needs none
 * takes the focus itself, and Tab adds the next one.
 */
export function enterNode(id: string, { store, ui, rules }: Pick<Editing, "store" | "ui" | "rules">): void {
  const { document } = store.getState();
  const node = findNode(document, id);
  const form = rules.operators.get(node?.operator ?? "")?.form;
  const arriving = followTypes(document.graph, rules.operators).arriving(id);
  const isFolded = useSides.getState().inspector === 0;
  const field = node === undefined || form === undefined ? null : findNeededField(form, node.config, arriving);
  ui.getState().select([id]);
  lastAdded = performance.now();
  if (field !== null && !isFolded) ui.getState().goTo(id, field);
  else focusSelection(ui);
}

let lastAdded = -Infinity;

/** When the user added a node last, in the time of events. */
export function findLastAdded(): number {
  return lastAdded;
}

/** Moves the focus from a form to its node. A field that is left may rename it. */
export function focusSelection(ui: Editing["ui"]): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const [id] = ui.getState().selection.nodes;
  if (id !== undefined) focusNode(id);
}

/** Focuses a node after it is drawn, unless the focus has moved: the next key is for that node. */
export function focusNode(id: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.focus({ preventScroll: true });
  });
}
