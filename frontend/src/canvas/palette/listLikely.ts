import type { Operator } from "../../api/types";

const MAX_LIKELY = 6;

/** The offered operators that most likely follow one. Users who turn a table into a stream mostly write it. */
export function listLikely(operators: readonly Operator[], after: Operator | undefined): readonly Operator[] {
  const isWritten = after !== undefined && endsTable(after);
  const rank = ({ follows, topic_use }: Operator) => (isWritten && topic_use === "writes" ? Infinity : follows);
  return operators
    .filter(({ name, follows }) => follows > 0 && name !== after?.name)
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, MAX_LIKELY);
}

function endsTable({ inputs, outputs }: Operator): boolean {
  const hasTableInputs = inputs.length > 0 && inputs.every(({ takes }) => takes.every((type) => type === "KTable"));
  return hasTableInputs && outputs.some(({ cases }) => cases.some(({ gives }) => gives === "KStream"));
}
