const TEXTS = "input:not([type=radio], [type=checkbox]), textarea, select";

/** Whether a dialog is open, which takes all keys. */
export function isAsking(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** Whether a key pressed at `target` writes text there and must not be a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXTS));
}

/** Whether a field holds text. In an empty one there is nothing to undo. */
export function hasText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return target.value !== "";
  return target instanceof HTMLElement && target.textContent !== "";
}
