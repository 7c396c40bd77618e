/** Completes the names of users after an `@` in a comment. */

/** The name that is being written: from its `@` to the caret. */
export interface Mention {
  readonly start: number;
  readonly part: string;
}

const BEGUN = /(?<![\w@.+-])@([\w@.+-]*)$/;

/** The mention that ends at the caret, or null. */
export function findMention(text: string, caret: number): Mention | null {
  const found = BEGUN.exec(text.slice(0, caret));
  return found === null ? null : { start: found.index, part: found[1] ?? "" };
}

/** Names with the text in them. Those that begin with it come first. */
export function findNames(names: readonly string[], part: string): readonly string[] {
  const query = part.toLowerCase();
  const begins = (name: string) => (name.toLowerCase().startsWith(query) ? 0 : 1);
  return names
    .filter((name) => name.toLowerCase().includes(query))
    .toSorted((one, other) => begins(one) - begins(other));
}

/** The text with the whole name and a space after it, and where the caret then stands. */
export function complete(text: string, { start }: Mention, caret: number, name: string) {
  const before = `${text.slice(0, start)}@${name} `;
  const after = text.slice(caret);
  return { text: before + (after.startsWith(" ") ? after.slice(1) : after), caret: before.length };
}
