/** Records that a node neither forwarded nor dropped nor failed. */
import type { NodeNumbers } from "../../live/state";
import { formatCount } from "../../ui/text/format";

/** The number of records without a result. */
export function withoutResult({ no_result = {} }: Pick<NodeNumbers, "no_result">): number {
  return Object.values(no_result).reduce((sum, amount) => sum + amount, 0);
}

/** "late 1,024, null key 3", the most frequent reason first. A single reason needs no number of its own. */
export function describeReasons(reasons: Readonly<Record<string, number>> = {}): string {
  const ranking = Object.entries(reasons).sort(([, one], [, other]) => other - one);
  if (ranking.length === 1) return ranking[0]?.[0] ?? "";
  return ranking.map(([reason, amount]) => `${reason} ${formatCount(amount)}`).join(", ");
}

/** Whether records had other results than to continue, be dropped or fail. */
export function isUneven(numbers: NodeNumbers): boolean {
  return withoutResult(numbers) > 0 || (numbers.extra ?? 0) !== 0 || (numbers.waiting ?? 0) !== 0;
}

/** "12 + 3 extra = 9 out + 4 no result + 2 waiting": the input beside its results. */
export function describeBalance(numbers: NodeNumbers): string {
  const { extra = 0, waiting = 0 } = numbers;
  const came = [`${formatCount(numbers.in)} in`, ...describePart(extra, "extra")];
  const losses = [
    `${formatCount(numbers.out)} out`,
    ...describePart(withoutResult(numbers), "no result"),
    ...describePart(numbers.dropped, "dropped"),
    ...describePart(numbers.errors, "errors"),
    ...describePart(waiting, "waiting"),
  ];
  return `${came.join(" + ")} = ${losses.join(" + ")}`;
}

function describePart(amount: number, name: string): readonly string[] {
  return amount === 0 ? [] : [`${formatCount(amount)} ${name}`];
}
