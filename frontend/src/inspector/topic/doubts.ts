import type { Doubt } from "../../api/types";
import { formatCount } from "../../ui/text/format";

/** "Of 100 values of `amount`, 98 are integer and 2 are string, such as `\"many\"`. The type is integer, …" */
export function describeDoubt(doubt: Doubt): string {
  const { type, counts, odd } = doubt;
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const kinds = Object.entries(counts).map(([kind, amount]) => `${formatCount(amount)} are ${kind}`);
  const words = [kinds.slice(0, -1).join(", "), ...kinds.slice(-1)].filter(Boolean).join(" and ");
  const consequence = type === "any" ? "The type stays unknown." : `The type is ${type}, and other values fail.`;
  return `Of ${formatCount(total)} ${nameValues(doubt)}, ${words}, such as \`${odd}\`. ${consequence}`;
}

/** The values of a field as expressions name it, or all keys or values. */
function nameValues({ side, path }: Doubt): string {
  if (path === "") return side === "key" ? "keys" : "values";
  return `values of \`${side === "key" ? `key.${path}` : path}\``;
}
