import type { OnState, Way } from "../../api/types";

/** What was chosen, as long as it still is a choice: other settings may keep, or lose, what another answer was for. */
export function keepValidChoice(choices: readonly Way[], choice: OnState | null): OnState | null {
  return choices.some(({ on_state }) => on_state === choice) ? choice : null;
}
