const FIRST_MS = 500;
const MAX_MS = 15_000;

/** The wait before try number `attempt` (from 0): doubled, capped, and spread so that tabs do not retry together. */
export function computeBackoff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** attempt);
  return Math.round(full * (0.5 + random() / 2));
}
