import type { Standing } from "../../../../live/state";
import { formatSeconds, listSteps } from "./steps";
import { useTicks } from "./useTicks";

const TICK_MS = 100;

/** The steps of a job's start, with seconds. The current step counts up. */
export function StartSteps({ standing }: { readonly standing: Standing }) {
  const steps = standing.steps;
  const now = useTicks(steps.at(-1)?.step !== "running", TICK_MS);
  return (
    <div className="start-steps" role="status" aria-label="Start of the job">
      <ol>
        {listSteps(steps, now).map(({ word, ms, isCurrent }, index) => (
          <li key={`${word} ${index}`} className={isCurrent ? "current" : "is-past"}>
            {index > 0 && <span className="between"> · </span>}
            {word}
            {ms !== null && (
              <span className="number" aria-hidden={isCurrent}>
                {" "}
                {formatSeconds(ms)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
