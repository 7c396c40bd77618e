import type { NodeNumbers } from "../../live/state";
import { formatAmount } from "../../ui/text/format";
import { describeBalance, describeReasons, withoutResult } from "./balance";

/** The reasons for records without a result, and the balance of the node's numbers. */
export function NoResultPart({ numbers }: { readonly numbers: NodeNumbers }) {
  const without = withoutResult(numbers);
  return (
    <details className="drops-part">
      <summary>
        {without > 0 && (
          <>
            <b className="number">{formatAmount(without, "record")}</b> gave no result:{" "}
            {describeReasons(numbers.no_result)}
          </>
        )}
        {without === 0 && "How in and out balance"}
      </summary>
      <p className="quiet number">{describeBalance(numbers)}</p>
    </details>
  );
}
