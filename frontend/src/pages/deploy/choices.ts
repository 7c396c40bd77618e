import type { OnState, Preview } from "../../api/types";

export interface Choice {
  readonly value: OnState;
  readonly word: string;
  readonly help: string;
}

const WORDS: Readonly<Partial<Record<OnState, string>>> = {
  fresh_from_earliest: "Start fresh from where the sources start",
  fresh_from_now: "Start fresh from now",
  skip_lost: "Keep the state and skip the lost records",
  repair: "Repair the checkpoint and keep the state",
  rebuild: "Rebuild the state from the topics",
};

/** Whether a person must say how the job goes on: state is lost, records are gone, or a batch cannot be ended. */
export function mustChoose({ state, losses, damage, in_part }: Preview): boolean {
  return in_part !== "" || damage.length > 0 || losses.length > 0 || state.some(({ fate }) => fate === "starts_empty");
}

/** The question, by what is lost. */
export function questionOf({ losses, damage, in_part }: Preview): string {
  if (damage.length > 0) return "How should the job continue?";
  if (in_part !== "") return in_part;
  return losses.length > 0
    ? "Kafka deleted records that the job has not read. How should it continue?"
    : "Some state cannot be kept. How should the job continue?";
}

/** What was chosen, as long as it still is a choice: other settings may keep, or lose, what another answer was for. */
export function validChoice(choices: readonly Choice[], choice: OnState | null): OnState | null {
  return choices.some(({ value }) => value === choice) ? choice : null;
}

/** What a person may choose instead of keeping the state; to cancel has a button of its own. */
export function choicesOf(preview: Preview): Choice[] {
  return Object.entries(preview.choices).flatMap(([value, help]) => {
    const word = WORDS[value as OnState];
    return word === undefined ? [] : [{ value: value as OnState, word, help }];
  });
}
