/** Where the focus is: on the dialog itself, in an input of a type, or elsewhere. */
export type Place = "dialog" | "other" | (string & {});

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "isComposing">;

/** Inputs that Enter ends. A search has its own Enter, and boxes are ticked. */
const LINES: ReadonlySet<string> = new Set(["text", "number", "password", "email", "url", "datetime-local"]);

/** Whether a key presses the action of a dialog: Enter in a line of text, and Control+Enter anywhere. */
export function pressesAction({ key, ctrlKey, metaKey, isComposing }: Key, place: Place): boolean {
  return key === "Enter" && !isComposing && (ctrlKey || metaKey || place === "dialog" || LINES.has(place));
}
