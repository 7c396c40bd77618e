import type { Durability } from "../../api/types";
import { formatAmount } from "../../ui/text/format";

/** "every topic survives the loss of a broker", "2 of 5 topics depend on a single broker" */
export function describeDurability(topics: readonly Durability[]): string {
  const weak = topics.filter(({ is_durable }) => !is_durable).length;
  if (weak === 0) return "every topic survives the loss of a broker";
  const all = formatAmount(topics.length, "topic");
  return `${weak} of ${all} ${weak === 1 ? "depends" : "depend"} on a single broker`;
}
