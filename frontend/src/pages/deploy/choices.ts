import type { OnState, Preview } from "../../api/types";

export interface Choice {
  readonly value: OnState;
  readonly word: string;
  readonly help: string;
}

const WORDS: Readonly<Partial<Record<OnState, string>>> = {
  fresh_from_earliest: "Start fresh from the earliest record",
  fresh_from_now: "Start fresh from now",
};

/** What a person must choose from because some state cannot be kept; to cancel has a button of its own. */
export function choicesOf(preview: Preview): Choice[] {
  return Object.entries(preview.choices).flatMap(([value, help]) => {
    const word = WORDS[value as OnState];
    return word === undefined ? [] : [{ value: value as OnState, word, help }];
  });
}
