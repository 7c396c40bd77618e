/** Two keys of one word follow each other within so many ms. */
const WORD_MS = 700;

/** A letter that follows an added node within so many ms begins a word: nobody has looked at the node yet. */
const ADDED_MS = 2_000;

/** Neither letters nor the end of what is typed. */
const NEUTRAL: ReadonlySet<string> = new Set(["Shift", "AltGraph", " "]);

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "timeStamp">;

/**
 * Watches for words typed where nothing takes text: `user_id` on a node must not bypass it at its `d`. The watch
 * returns whether a key is part of a word. A word begins with a key that is no shortcut, or with any letter right
 * after `addedAt`, when the last node was added: most new nodes have the focus in a setting, so people also type
 * `name` on one that needs none, and its `n` must not add a note.
 */
export function makeWordWatch(isShortcut: (key: string) => boolean): (key: Key, addedAt?: number) => boolean {
  let wordAt = -Infinity;
  let lastAt = -Infinity;
  return ({ key, ctrlKey, metaKey, altKey, timeStamp }, addedAt = -Infinity) => {
    if (NEUTRAL.has(key)) return false;
    const isFirst = addedAt > lastAt && timeStamp - addedAt < ADDED_MS;
    lastAt = timeStamp;
    if (key.length !== 1 || ctrlKey || metaKey || altKey) {
      wordAt = -Infinity;
      return false;
    }
    const isInWord = timeStamp - wordAt < WORD_MS || (isFirst && /^[a-z]$/i.test(key));
    if (isInWord || !isShortcut(key.toLowerCase())) wordAt = timeStamp;
    return isInWord;
  };
}
