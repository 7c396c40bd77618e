import type { TriedLetters } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { describeTrial, groupFailures } from "./letters";

/** The draft's results for the letters, and reasons for failures. */
export function TriedNotice({ trial }: { readonly trial: TriedLetters }) {
  const failing = groupFailures(trial);
  const reasons = [...new Set(trial.untried.map(({ why }) => why))].slice(0, 3);
  return (
    <Notice tone={trial.failing.length + trial.untried.length > 0 ? "warn" : "info"} title={describeTrial(trial)}>
      <ul>
        {failing.map(({ node, reason, count }) => (
          <li key={`${node} ${reason}`}>
            {formatAmount(count, "record")} would fail at <code className="node">{node}</code> <Prose text={reason} />
          </li>
        ))}
        {reasons.map((why) => (
          <li key={why}>
            Not tried: <Prose text={why} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
