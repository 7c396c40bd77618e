import { useState } from "react";
import { createRedrive } from "../../api/calls";
import type { ChosenDeadLetters, Job, DeadLetterGroup } from "../../api/types";
import "../../ui/controls/controls.css";
import { formatAmount, formatCount } from "../../ui/text/format";
import { Confirm } from "../../ui/messages/Confirm";

interface Props {
  readonly job: Job;
  readonly amount: number;
  readonly groups: readonly DeadLetterGroup[];
  /** The letters to send, at the moment of the press. */
  readonly choose: () => ChosenDeadLetters;
  readonly began: () => Promise<void>;
  readonly close: () => void;
}

const RATES: readonly (number | null)[] = [null, 1_000, 100, 10, 1];

/** Asks before letters go back: their number, target and rate, and who gets them twice. */
export function RedriveDialog({ job, amount, groups, choose, began, close }: Props) {
  const [rate, setRate] = useState<number | null>(null);
  const sources = [...new Set(groups.flatMap((group) => group.sources))];
  const again = [...new Set(groups.flatMap((group) => group.again))];
  const act = async () => {
    await createRedrive(job.id, { ...choose(), rate });
    await began();
  };
  return (
    <Confirm title={`Redrive ${formatAmount(amount, "dead letter")}?`} verb="Redrive" act={act} close={close}>
      <p>
        Their records go back to {sources.length === 0 ? "the topics they came from" : sources.join(", ")}, each once,
        as they were. Those that were sent back already are left out. Version {job.version_number} is deployed.
      </p>
      {again.length > 0 && (
        <p>
          Each record passes the whole topology again. These nodes may have processed it before it failed, and would
          process it twice: {again.join(", ")}.
        </p>
      )}
      <label className="controls redrive-rate">
        <span>Records a second</span>
        <select
          value={String(rate)}
          onChange={({ target }) => setRate(target.value === "null" ? null : Number(target.value))}
        >
          {RATES.map((each) => (
            <option key={String(each)} value={String(each)}>
              {each === null ? "No limit" : formatCount(each)}
            </option>
          ))}
        </select>
      </label>
    </Confirm>
  );
}
