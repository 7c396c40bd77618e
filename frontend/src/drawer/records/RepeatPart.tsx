import { MAX_RATE, MAX_REPEATED } from "./repeating";

export interface Repeating {
  readonly on: boolean;
  readonly rate: string;
  readonly amount: string;
}

interface Props {
  readonly repeating: Repeating;
  readonly change: (repeating: Repeating) => void;
}

/** Whether to send again and again, how fast and how often in all. It ends with the dialog. */
export function RepeatPart({ repeating, change }: Props) {
  const { on, rate, amount } = repeating;
  return (
    <div className="send-lines controls">
      <label className="check">
        <input type="checkbox" checked={on} onChange={({ target }) => change({ ...repeating, on: target.checked })} />
        Repeat while this dialog is open
      </label>
      {on && (
        <>
          <label>
            Records per second{" "}
            <input
              type="number"
              min={1}
              max={MAX_RATE}
              value={rate}
              onChange={({ target }) => change({ ...repeating, rate: limited(target.value, MAX_RATE) })}
            />
          </label>
          <label>
            In all{" "}
            <input
              type="number"
              min={1}
              max={MAX_REPEATED}
              value={amount}
              onChange={({ target }) => change({ ...repeating, amount: limited(target.value, MAX_REPEATED) })}
            />
          </label>
        </>
      )}
    </div>
  );
}

function limited(typed: string, most: number): string {
  return Number(typed) > most ? String(most) : typed;
}
