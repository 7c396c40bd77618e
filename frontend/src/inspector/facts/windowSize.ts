/** A window size that suits the times of some records. */

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;
const USUAL = [S, 5 * S, 10 * S, 30 * S, MIN, 5 * MIN, 10 * MIN, 15 * MIN, 30 * MIN, H, 6 * H, 12 * H, D, 7 * D];
/** A window should hold about so many records: enough to say something, and not all of them. */
const WANTED = 20;
const MIN_RECORDS = 3;

export interface SuggestedSize {
  readonly size_ms: number;
  /** About how many records a window of this size holds. */
  readonly records: number;
}

/** The smallest usual size that holds enough records at their usual pace. Null if the times do not say. */
export function suggestSize(times: readonly number[]): SuggestedSize | null {
  const sorted = times.toSorted((one, other) => one - other);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || sorted.length < MIN_RECORDS || first === last) return null;
  const apart = (last - first) / (sorted.length - 1);
  const size_ms = USUAL.find((size) => size / apart >= WANTED) ?? 7 * D;
  return { size_ms, records: Math.max(1, Math.round(size_ms / apart)) };
}
