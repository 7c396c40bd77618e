import type { Loss } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { Prose } from "../../ui/messages/Prose";
import { describeLoss } from "./losses";

const SHOWN = 12;

/** Partitions with lost unread records, and where each would continue. */
export function LossList({ losses }: { readonly losses: readonly Loss[] }) {
  if (losses.length === 0) return null;
  return (
    <ul className="preview losses">
      {losses.slice(0, SHOWN).map((loss) => (
        <li key={`${loss.topic} ${loss.partition}`} className="fate starts_empty">
          <b>Lost</b>
          <span className="quiet">
            <Prose text={describeLoss(loss)} />
          </span>
        </li>
      ))}
      {losses.length > SHOWN && (
        <li className="quiet">and {formatAmount(losses.length - SHOWN, "more partition", "more partitions")}</li>
      )}
    </ul>
  );
}
