import type { Doubt } from "../../api/types";
import { formatCount } from "../../ui/text/format";

/** "98 of 100 values are integer, 2 are string, such as `\"three hundred\"`: taken as integer, the others fail." */
export function describeDoubt({ type, counts, odd }: Doubt): string {
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const [first = "", ...others] = Object.entries(counts).map(([kind, amount]) => `${formatCount(amount)} are ${kind}`);
  const words = [first.replace(" are ", ` of ${formatCount(total)} values are `), ...others].join(", ");
  const consequence = type === "any" ? "the type stays unknown." : `the type is ${type}, and other values fail.`;
  return `${words}, such as \`${odd}\`: ${consequence}`;
}

/** The name of a field in an expression, or of the whole side without a field. */
export function nameDoubtedField({ side, path }: Doubt): string {
  if (path === "") return `the ${side}`;
  return side === "key" ? `key.${path}` : path;
}
