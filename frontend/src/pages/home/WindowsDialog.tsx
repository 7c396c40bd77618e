import { useState } from "react";
import type { Refusal } from "../../api/refusal";
import type { AggregateStep, WindowChoice, Windows } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import "../../ui/controls/controls.css";
import "./WindowsDialog.css";

interface Props {
  readonly aggregates: readonly AggregateStep[];
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  readonly choose: (windows: Windows) => void;
  readonly close: () => void;
}

const CHOICES: Readonly<Record<WindowChoice, string>> = {
  none: "No windows",
  tumbling: "Tumbling: TimeWindows.of",
  hopping: "Hopping: TimeWindows.of(…).advanceBy",
  sliding: "Sliding: SlidingWindows",
  session: "Sessions: SessionWindows",
  calendar: "Calendar: a Windows class of your own",
  unlimited: "Unlimited: UnlimitedWindows",
};

/** Asks which aggregates of a description have windows: Kafka Streams does not print them. */
export function WindowsDialog({ aggregates, isBusy, refusal, choose, close }: Props) {
  const [windows, setWindows] = useState<Windows>(
    Object.fromEntries(aggregates.map((each) => [each.step, each.windows ?? "none"])),
  );
  const action = (
    <Button look="primary" isBusy={isBusy} onClick={() => choose(windows)}>
      Import
    </Button>
  );
  return (
    <Dialog title="Which aggregates have windows?" close={close} action={action}>
      <p>
        Kafka Streams prints the same text with and without windows. Look for <code>windowedBy</code> in the code. You
        fill in the lengths of the windows on the canvas.
      </p>
      <div className="controls windows-of-aggregates">
        {aggregates.map(({ step, node }) => (
          <label key={step}>
            <code>{node === step ? step : `${node} (${step})`}</code>
            <select
              value={windows[step]}
              onChange={({ target }) => setWindows({ ...windows, [step]: target.value as WindowChoice })}
            >
              {Object.entries(CHOICES).map(([choice, words]) => (
                <option key={choice} value={choice}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
