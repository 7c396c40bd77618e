import { count } from "../numbers/format";

/** How much went by without being shown. */
export function Skipped({ amount }: { readonly amount: number }) {
  const text = amount > 0 ? `${count(amount)} not shown: more than can be read` : "";
  return (
    <span className="told number" title={text}>
      {text}
    </span>
  );
}
