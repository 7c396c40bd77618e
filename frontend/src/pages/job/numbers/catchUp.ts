import { countWaiting } from "../../../ui/text/waits";
import type { Numbers } from "../../../live/state";
import { formatDuration, formatShortCount } from "../../../ui/text/format";

/** While a run reads: whether its sources keep up, else the longest time that any of them needs to catch up. */
export function describeCatchUp(numbers: Numbers | null, isOver: boolean): string {
  if (isOver) return ""; // nothing is read
  const sources = Object.values(numbers?.sources ?? {});
  if (sources.length === 0) return "";
  const amount = countWaiting(sources);
  if (amount > 0) return `${formatShortCount(amount)} held up`;
  if (sources.every((source) => source.total_lag === 0)) return "caught up";
  if (sources.every((source) => source.catch_up_s === 0)) return "keeping up";
  const seconds = Math.max(0, ...sources.map((source) => source.catch_up_s ?? 0));
  return seconds > 0 ? `caught up in ${formatDuration(seconds * 1_000)}` : "";
}
