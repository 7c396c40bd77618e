const TEXTS = "input:not([type=radio], [type=checkbox]), textarea, select";

/** Whether a key pressed at `target` writes text there, so that no shortcut may take it. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXTS));
}
