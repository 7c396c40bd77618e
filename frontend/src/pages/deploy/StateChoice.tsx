import type { OnState } from "../../api/types";
import type { Choice } from "./choices";

interface Props {
  readonly choices: readonly Choice[];
  readonly chosen: OnState | null;
  readonly choose: (value: OnState) => void;
}

/** The question that stands between a changed version and state that it cannot keep. */
export function StateChoice({ choices, chosen, choose }: Props) {
  return (
    <fieldset className="state-choice">
      <legend>Some state cannot be kept. How should it go on?</legend>
      {choices.map(({ value, word, help }) => (
        <label key={value}>
          <input type="radio" name="on-state" checked={value === chosen} onChange={() => choose(value)} />
          <span>{word}</span>
          <small>{help}</small>
        </label>
      ))}
    </fieldset>
  );
}
