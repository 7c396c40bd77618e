/** Two keys of one word follow each other within so many ms. */
const WORD_MS = 700;

/** Neither letters nor the end of what is typed. */
const NEUTRAL: ReadonlySet<string> = new Set(["Shift", "AltGraph", " "]);

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "timeStamp">;

/**
 * Watches for words typed where nothing takes text: `user_id` on a node must not bypass it at its `d`.
 * The watch returns whether a key goes on with a word that began with a key that is no shortcut.
 */
export function makeWordWatch(isShortcut: (key: string) => boolean): (key: Key) => boolean {
  let wordAt = -Infinity;
  return ({ key, ctrlKey, metaKey, altKey, timeStamp }) => {
    if (NEUTRAL.has(key)) return false;
    if (key.length !== 1 || ctrlKey || metaKey || altKey) {
      wordAt = -Infinity;
      return false;
    }
    const isInWord = timeStamp - wordAt < WORD_MS;
    if (isInWord || !isShortcut(key.toLowerCase())) wordAt = timeStamp;
    return isInWord;
  };
}
