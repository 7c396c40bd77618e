import type { Standing } from "../../../live/state";

const SOON_MS = 1_000;

/** The remaining wait (ms) of a run after a failed one. Null if none waits. */
export function measureWait({ status, start_after }: Standing, now: number): number | null {
  if (status !== "starting" || start_after === null) return null;
  const rest = Date.parse(start_after) - now;
  return rest > SOON_MS ? Math.ceil(rest / SOON_MS) * SOON_MS : null;
}
