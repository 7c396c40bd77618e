/** Two keys of one word follow each other within so many ms. */
const WORD_MS = 700;

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "timeStamp">;

/**
 * Watches for words typed where nothing takes text: `user_id` on a node must not bypass it at its `d`.
 * The watch returns whether a key goes on with a word that began with a key that is no shortcut.
 */
export function makeWordWatch(isShortcut: (key: string) => boolean): (key: Key) => boolean {
  let wordAt = -Infinity;
  return ({ key, ctrlKey, metaKey, altKey, timeStamp }) => {
    if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return false;
    const isInWord = timeStamp - wordAt < WORD_MS;
    if (isInWord || !isShortcut(key.toLowerCase())) wordAt = timeStamp;
    return isInWord;
  };
}
