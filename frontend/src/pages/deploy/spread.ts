import type { PartitionSpread } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";

/** "`orders` has 4 partitions, `customers` 6: the job spreads both over 6 tasks." */
export function describeSpread({ partitions, tasks }: PartitionSpread): string {
  const [first, ...others] = Object.entries(partitions);
  if (first === undefined) return "";
  const each = [`\`${first[0]}\` has ${formatAmount(first[1], "partition")}`];
  each.push(...others.map(([topic, amount]) => `\`${topic}\` ${formatCount(amount)}`));
  const topics = others.length === 1 ? "both" : "all";
  return `${each.join(", ")}: the job spreads ${topics} over ${formatAmount(tasks, "task")}.`;
}
