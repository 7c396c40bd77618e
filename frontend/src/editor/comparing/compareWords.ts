import { diffArrays } from "diff";

/** Differences of two texts, word by word. */

export interface Part {
  readonly text: string;
  readonly is: "same" | "removed" | "added";
}

/** With more changed words, texts are shown as a whole: readers would not follow more. */
const MAX_CHANGES = 1_000;

/** The parts of both texts, in order. Changes at one place stay together: the removed part, then the added one. */
export function compareWords(before: string, after: string): readonly Part[] {
  const parts = diffArrays(splitWords(before), splitWords(after), { maxEditLength: MAX_CHANGES });
  if (parts === undefined) {
    return [
      { text: before, is: "removed" },
      { text: after, is: "added" },
    ];
  }
  return parts.map(({ value, added, removed }) => ({
    text: value.join(""),
    is: removed ? "removed" : added ? "added" : "same",
  }));
}

/** Names and numbers as a whole, each sign alone. */
function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
