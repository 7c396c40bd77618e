/** Where the focus is, to tell what a key is meant for. */

/** Whether a key is meant for the canvas: the focus is nowhere, or on the canvas. */
export function isOnCanvas(focused: EventTarget | null): boolean {
  return focused === document.body || (focused instanceof Element && focused.closest(".canvas") !== null);
}

/** Whether the focus is in the graph and not in a panel above it. */
export function isOnGraph(focused: EventTarget | null): boolean {
  return focused instanceof Element && focused.closest(".react-flow") !== null;
}

export function isOnNode(focused: EventTarget | null): boolean {
  return focused instanceof Element && focused.matches(".react-flow__node");
}

/** Whether Escape leaves a field for its node. In code it first gives Tab back. */
export function isInForm(focused: EventTarget | null): boolean {
  return focused instanceof Element && focused.closest(".inspector") !== null && focused.closest(".code-box") === null;
}
