const TEXTS = "input:not([type=radio], [type=checkbox]), textarea, select";

/** Whether a dialog is open, which takes all keys. */
export function isAsking(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** Whether a key pressed at `target` writes text there and must not be a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXTS));
}
