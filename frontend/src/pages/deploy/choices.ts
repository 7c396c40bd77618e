import type { OnState, Preview } from "../../api/types";

export interface Choice {
  readonly value: OnState;
  readonly word: string;
  readonly help: string;
}

const WORDS: Readonly<Partial<Record<OnState, string>>> = {
  fresh_from_earliest: "Start fresh from where the sources start",
  fresh_from_now: "Start fresh from now",
};

/** Whether some state cannot be kept, so that a person must say how it should go on. */
export function mustChoose({ state }: Preview): boolean {
  return state.some(({ fate }) => fate === "starts_empty");
}

/** What was chosen, as long as it still is a choice: other settings may keep, or lose, what another answer was for. */
export function chosenOf(choices: readonly Choice[], choice: OnState | null): OnState | null {
  return choices.some(({ value }) => value === choice) ? choice : null;
}

/** What a person may choose instead of keeping the state; to cancel has a button of its own. */
export function choicesOf(preview: Preview): Choice[] {
  return Object.entries(preview.choices).flatMap(([value, help]) => {
    const word = WORDS[value as OnState];
    return word === undefined ? [] : [{ value: value as OnState, word, help }];
  });
}
