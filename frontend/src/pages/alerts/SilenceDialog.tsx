import { useState } from "react";
import { silenceAlerts } from "../../api/calls";
import type { Alert } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";
import "../../ui/controls/controls.css";
import { formatDuration } from "../../ui/text/format";
import { Confirm } from "../../ui/messages/Confirm";

interface Props {
  readonly alert: Alert;
  readonly onSilence: () => Promise<void>;
  readonly close: () => void;
}

const MINUTES: readonly number[] = [15, 60, 240, 1_440, 10_080];

/** Asks how long to send no messages, for this rule or for all rules. */
export function SilenceDialog({ alert, onSilence, close }: Props) {
  const [minutes, setMinutes] = useState(60);
  const [isOfAll, setIsOfAll] = useState(false);
  const [why, setWhy] = useState("");
  const { job, host, where, title } = alert;
  const act = async () => {
    await silenceAlerts(job, { kind: isOfAll ? "" : alert.kind, host, minutes, why });
    await onSilence();
  };
  return (
    <Confirm title={`Silence alerts of ${where}?`} verb="Silence" act={act} close={close}>
      <p>Channels send nothing until the time is over. If an alert still fires then, they send it at once.</p>
      <div className="controls alert-form">
        <label>
          <span>For</span>
          <select value={minutes} onChange={({ target }) => setMinutes(Number(target.value))}>
            {MINUTES.map((minutes) => (
              <option key={minutes} value={minutes}>
                {formatDuration(minutes * 60_000)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Which</span>
          <select value={isOfAll ? "all" : "one"} onChange={({ target }) => setIsOfAll(target.value === "all")}>
            <option value="one">{title}</option>
            <option value="all">All rules</option>
          </select>
        </label>
        <label>
          <span>Why</span>
          <input
            value={why}
            maxLength={MAX_LENGTHS.silenceReason}
            placeholder="optional"
            onChange={({ target }) => setWhy(target.value)}
          />
        </label>
      </div>
    </Confirm>
  );
}
