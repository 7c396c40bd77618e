import type { PartitionSpread } from "../../api/types";
import { count, countOf } from "../../numbers/format";

/** "`orders` has 4 partitions, `customers` 6: the job spreads both over 6 tasks." */
export function spreadWords({ partitions, tasks }: PartitionSpread): string {
  const [first, ...others] = Object.entries(partitions);
  if (first === undefined) return "";
  const each = [`\`${first[0]}\` has ${countOf(first[1], "partition")}`];
  each.push(...others.map(([topic, amount]) => `\`${topic}\` ${count(amount)}`));
  return `${each.join(", ")}: the job spreads ${others.length === 1 ? "both" : "all"} over ${countOf(tasks, "task")}.`;
}
