import type { OnState, Way } from "../../api/types";

/** Keeps a choice while it is still valid: other settings may remove its reason. */
export function keepValidChoice(choices: readonly Way[], choice: OnState | null): OnState | null {
  return choices.some(({ on_state }) => on_state === choice) ? choice : null;
}
