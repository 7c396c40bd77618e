import type { Standing } from "../../live/state";

/** A text that differs whenever what Postgres keeps of a job has changed; "" while nothing is known. */
export function makeStandingKey(standing: Standing | null): string {
  if (standing === null) return "";
  const { status, desired, run, version, is_blocked, epoch, problem, lost_executors } = standing;
  const losses = lost_executors.map(({ executor, took_ms }) => `${executor} ${took_ms}`);
  return [status, desired, run, version, is_blocked, epoch, problem?.code, ...losses].join(" ");
}
