/** The last minute of a run's numbers, for sparklines of nodes. Numbers are shared, so a sample costs nothing. */
import type { LiveState, Numbers } from "./state";
import { dropFuture, isFresh } from "./history";
import { flows } from "./rates";

/** `nodes` is null while nothing flows. */
export interface Sample {
  readonly at: number;
  readonly nodes: Numbers["nodes"] | null;
  readonly latency_ms: number | null;
}

const APART_MS = 2_000;
const MINUTE_MS = 60_000;
/** The number of samples in a minute. */
export const SAMPLES = MINUTE_MS / APART_MS;

/** The samples with the present numbers, unless the last is still fresh. */
export function addSample(samples: readonly Sample[], state: LiveState): readonly Sample[] {
  const { numbers } = state;
  if (numbers === null) return samples;
  const last = samples.at(-1);
  if (last !== undefined && isFresh(last, numbers)) return samples;
  const isAlive = flows(state);
  const { at, nodes, latency_ms } = numbers;
  const sample = isAlive ? { at, nodes, latency_ms } : { at, nodes: null, latency_ms: null };
  return [...dropFuture(samples, at).filter((each) => each.at > at - MINUTE_MS), sample];
}

/** The latency that 95 % of the last minute stayed at or below, or null if none is known. */
export function findP95(samples: readonly Sample[]): number | null {
  const known = samples.flatMap(({ latency_ms }) => latency_ms ?? []).toSorted((one, other) => one - other);
  return known[Math.ceil(known.length * 0.95) - 1] ?? null;
}
