import { count } from "../../numbers/format";

/** How much went by without being shown. */
export function SkippedRecords({ amount }: { readonly amount: number }) {
  const text = amount > 0 ? `${count(amount)} not shown: they arrive too fast to read` : "";
  return (
    <span className="remark number" title={text}>
      {text}
    </span>
  );
}
