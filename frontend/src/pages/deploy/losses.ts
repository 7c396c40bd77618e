import type { Loss } from "../../api/types";
import { formatCount } from "../../ui/text/format";

/** The loss of a partition, and where the job continues after skipping it. Code is in backticks. */
export function describeLoss({ topic, partition, why, read_to, first, goes_on }: Loss): string {
  const more = goes_on > first ? ` and skips ${formatCount(goes_on - first)} more` : "";
  const place = `\`${topic}\`, partition ${partition}`;
  return `${place}: ${describeCause(why, read_to, first)} The job continues at offset ${formatCount(goes_on)}${more}.`;
}

function describeCause(why: Loss["why"], readOffset: number | null, first: number): string {
  if (why === "deleted") return `offsets ${formatCount(readOffset)} to ${formatCount(first - 1)} are gone.`;
  const extent = readOffset === null ? "" : ` The job had read the old one to offset ${formatCount(readOffset)}.`;
  return `the topic was deleted and created again.${extent}`;
}
