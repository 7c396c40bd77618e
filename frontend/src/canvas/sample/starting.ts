import type { Job, Run } from "../../api/types";

/**
 * The start of a run in a topic, as offsets of all partitions together: the end of the previous run, if it read the
 * same epoch. The first run of a job that reads from the earliest record began at 0. Null if unknown.
 */
export function findStart(job: Job, runs: readonly Run[], run: number | null, topic: string): number | null {
  const own = runs.find(({ generation }) => generation === run);
  if (own === undefined) return null;
  const earlier = runs.filter(({ epoch, generation }) => epoch === own.epoch && generation < own.generation);
  const last = earlier.toSorted((one, other) => other.generation - one.generation).find((one) => topic in one.offsets);
  if (last !== undefined) return (last.offsets[topic] ?? []).reduce((sum, offset) => sum + offset, 0);
  return readsAll(job) ? 0 : null;
}

/** Whether the job has read its topics from their first record on, and never started over. */
export function readsAll({ epoch, settings }: Pick<Job, "epoch" | "settings">): boolean {
  return epoch === 1 && settings.start === "earliest";
}
