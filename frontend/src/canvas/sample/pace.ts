import { MAX_FEED_RATE } from "../../api/values";

/** Rates of the sample feed in records per second. */
const MIN_RATE = 1;
const FIRST = 500;

/** Half the rate. A feed at full speed (0) returns to its first rate. Null at the minimum. */
export function findSlower(rate: number): number | null {
  if (rate === 0) return FIRST;
  return rate <= MIN_RATE ? null : Math.max(MIN_RATE, Math.round(rate / 2));
}

export function findFaster(rate: number): number | null {
  return rate === 0 || rate >= MAX_FEED_RATE ? null : Math.min(MAX_FEED_RATE, rate * 2);
}
