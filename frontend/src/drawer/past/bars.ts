import type { KeptBatch } from "../../api/types";

const LEAST = 0.12;

/** The path of a bar at the place of each batch with some of what `count` counts. It is at most one high. */
export function drawBars(batches: readonly KeptBatch[], count: (batch: KeptBatch) => number): string {
  const most = Math.max(1, ...batches.map(({ records }) => records));
  return batches
    .map((batch, at) => ({ at, height: Math.sqrt(Math.min(1, count(batch) / most)) }))
    .filter(({ height }) => height > 0)
    .map(({ at, height }) => `M${at} 1V${(1 - Math.max(LEAST, height)).toFixed(3)}`)
    .join("");
}
