import "./Chips.css";

interface Chip<Value extends string> {
  readonly value: Value;
  readonly word: string;
  readonly count: number;
}

interface Props<Value extends string> {
  readonly label: string;
  readonly chips: readonly Chip<Value>[];
  readonly current: Value;
  readonly choose: (value: Value) => void;
}

/** A row of choices with one current choice, each with its count. */
export function Chips<Value extends string>({ label, chips, current, choose }: Props<Value>) {
  return (
    <div className="chips" role="group" aria-label={label}>
      {chips.map(({ value, word, count }) => (
        <button key={value} type="button" aria-pressed={value === current} onClick={() => choose(value)}>
          {word} <span className="number">{count}</span>
        </button>
      ))}
    </div>
  );
}
