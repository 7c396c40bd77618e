import type { LostExecutor, Standing } from "../../../live/state";
import { count, duration } from "../../../numbers/format";

const RECENT_MS = 600_000;

/** Which host lost an executor, and why. */
export function wentWords({ host, reason }: LostExecutor): string {
  return `Host ${host} lost an executor: ${reason.trim().replace(/\.$/, "")}.`;
}

/** What it cost, as far as that is known, and the next step. */
export function costWords(loss: LostExecutor): string {
  return [costOf(loss), loss.hint].filter((part) => part !== "").join(" ");
}

function costOf({ batch, again, took_ms, cost_ms }: LostExecutor): string {
  if (batch === null) return "The next batch builds its state again.";
  if (took_ms === null) return `Spark carries out batch ${count(batch)} again.`;
  const did = again ? `Spark carried out batch ${count(batch)} again.` : `Batch ${count(batch)} built its state again.`;
  const cost = cost_ms === null ? "" : `, ${duration(cost_ms)} longer than usual`;
  return `${did} It took ${duration(took_ms)}${cost}.`;
}

/** What a live run has lost in the last ten minutes, the newest first. */
export function recentLosses({ lost_executors, ended_at }: Standing, now: number): readonly LostExecutor[] {
  return ended_at === null ? lost_executors.filter(({ at }) => now - at < RECENT_MS).reverse() : [];
}
