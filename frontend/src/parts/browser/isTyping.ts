const TEXTS = "input:not([type=radio], [type=checkbox]), textarea, select";

/** Whether a dialog is open: keys are for it alone. */
export function isAsking(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** Whether a key pressed at `target` writes text there, so that no shortcut may take it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXTS));
}
