import { MAX_RATE, MAX_REPEATED } from "./repeating";

export interface Repeating {
  readonly isOn: boolean;
  readonly rate: string;
  readonly amount: string;
}

interface Props {
  readonly repeating: Repeating;
  readonly change: (repeating: Repeating) => void;
}

/** Whether to repeat the sending, its rate and its limit. It ends with the dialog. */
export function RepeatPart({ repeating, change }: Props) {
  const { isOn, rate, amount } = repeating;
  return (
    <div className="send-lines controls">
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => change({ ...repeating, isOn: target.checked })}
        />
        Repeat while this dialog is open
      </label>
      {isOn && (
        <>
          <label>
            Records per second{" "}
            <input
              type="number"
              min={1}
              max={MAX_RATE}
              value={rate}
              onChange={({ target }) => change({ ...repeating, rate: limit(target.value, MAX_RATE) })}
            />
          </label>
          <label>
            In all{" "}
            <input
              type="number"
              min={1}
              max={MAX_REPEATED}
              value={amount}
              onChange={({ target }) => change({ ...repeating, amount: limit(target.value, MAX_REPEATED) })}
            />
          </label>
        </>
      )}
    </div>
  );
}

function limit(text: string, most: number): string {
  return Number(text) > most ? String(most) : text;
}
