import type { OnState, Way } from "../../api/types";
import "./Fold.css";

interface Props {
  readonly choices: readonly Way[];
  readonly current: OnState | null;
  readonly choose: (value: OnState) => void;
}

const KEEP: Way = { on_state: "keep", title: "Keep it", help: "The job continues where it stopped." };

/** Asks how the job continues if a deploy would lose state or records. */
export function StateQuestion({ question, ...props }: Props & { readonly question: string }) {
  return (
    <fieldset className="state-choice">
      <legend>{question}</legend>
      <Choices {...props} />
    </fieldset>
  );
}

/** State is kept unless users want to start over, which few do: folded away. */
export function StateChoice({ choices, current, choose }: Props) {
  const all = [KEEP, ...choices];
  const now = all.find(({ on_state }) => on_state === current) ?? KEEP;
  return (
    <details className="deploy-fold">
      <summary>
        <b>State</b> <span className="quiet">{now === KEEP ? "kept" : now.title.toLowerCase()}</span>
      </summary>
      <fieldset className="state-choice">
        <legend className="for-screen-readers">State</legend>
        <Choices choices={all} current={now.on_state} choose={choose} />
      </fieldset>
    </details>
  );
}

function Choices({ choices, current, choose }: Props) {
  return choices.map(({ on_state, title, help }) => (
    <label key={on_state}>
      <input type="radio" name="on-state" checked={on_state === current} onChange={() => choose(on_state)} />
      <span>{title}</span>
      <small>{help}</small>
    </label>
  ));
}
