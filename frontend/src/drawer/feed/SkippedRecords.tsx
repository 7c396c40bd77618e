import { formatCount } from "../../ui/text/format";

/** The amount that passed without being shown. */
export function SkippedRecords({ amount }: { readonly amount: number }) {
  const text = amount > 0 ? `${formatCount(amount)} not shown: they arrive too fast to read` : "";
  return (
    <span className="remark number" title={text}>
      {text}
    </span>
  );
}
