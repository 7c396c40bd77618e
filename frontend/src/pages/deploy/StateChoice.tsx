import type { OnState } from "../../api/types";
import type { Choice } from "./choices";
import "./Fold.css";

interface Props {
  readonly choices: readonly Choice[];
  readonly current: OnState | null;
  readonly choose: (value: OnState) => void;
}

const KEEP: Choice = { value: "keep", word: "Keep it", help: "The job continues where it stopped." };

/** The question that stands between a deploy and state or records that are lost. */
export function StateQuestion({ question, ...props }: Props & { readonly question: string }) {
  return (
    <fieldset className="state-choice">
      <legend>{question}</legend>
      <Choices {...props} />
    </fieldset>
  );
}

/** State is kept unless somebody wants to start over, which few do: folded away. */
export function StateChoice({ choices, current, choose }: Props) {
  const all = [KEEP, ...choices];
  const now = all.find(({ value }) => value === current) ?? KEEP;
  return (
    <details className="deploy-fold">
      <summary>
        <b>State</b> <span className="quiet">{now === KEEP ? "kept" : now.word.toLowerCase()}</span>
      </summary>
      <fieldset className="state-choice">
        <legend className="for-screen-readers">State</legend>
        <Choices choices={all} current={now.value} choose={choose} />
      </fieldset>
    </details>
  );
}

function Choices({ choices, current, choose }: Props) {
  return choices.map(({ value, word, help }) => (
    <label key={value}>
      <input type="radio" name="on-state" checked={value === current} onChange={() => choose(value)} />
      <span>{word}</span>
      <small>{help}</small>
    </label>
  ));
}
