import type { CutOver } from "../../api/types";
import { formatAmount, formatMoment } from "../../ui/text/format";

type Proved = Pick<NonNullable<CutOver["proof"]>, "batches" | "records" | "since" | "until">;

/** Over what a version was proved: `Compared with version 3 over 1,234 records in 56 batches, 12:00 to 12:10.` */
export function describeProved(
  { batches, records, since, until }: Proved,
  against: number | null | undefined,
): string {
  const version = against == null ? "the version that ran" : `version ${against}`;
  const amount = `${formatAmount(records, "record")} in ${formatAmount(batches, "batch", "batches")}`;
  return `Compared with ${version} over ${amount}, ${formatMoment(since)} to ${formatMoment(until)}.`;
}
