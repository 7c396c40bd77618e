import type { Loss } from "../../api/types";
import { count, counted } from "../../numbers/format";

/** What a partition lost and where the job goes on if that is skipped, in one sentence; code in backticks. */
export function lossWords({ topic, partition, why, read_to, first, goes_on, skipped }: Loss): string {
  const place = `\`${topic}\` ${partition}`;
  const on = `It goes on at offset ${count(goes_on)}`;
  if (why === "recreated") {
    const before = read_to === null ? "" : `, of which offset ${count(read_to)} was next`;
    const over = goes_on > first ? ` and skips ${counted(goes_on - first, "record")} before it` : "";
    return `${place} was deleted and made again: what was left of the old topic${before} is gone. ${on}${over}.`;
  }
  const gone = counted(first - (read_to ?? first), "offset");
  const over = goes_on > first ? `; it skips ${counted(skipped ?? 0, "offset")} in all` : "";
  return `${place} was read to offset ${count(read_to)} and begins with ${count(first)} now: ${gone} gone. ${on}${over}.`;
}
