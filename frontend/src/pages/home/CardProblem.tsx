import { Prose } from "../../ui/messages/Prose";
import type { Cause } from "../../live/state";

interface Props {
  readonly problem: Pick<Cause, "message" | "hint">;
  /** The next run may repair it. */
  readonly isSetback?: boolean;
}

/** Why a job does not run, and what to do next. */
export function CardProblem({ problem: { message, hint }, isSetback = false }: Props) {
  return (
    <div className={isSetback ? "problem is-setback" : "problem"}>
      <p>
        <Prose text={message} />
      </p>
      {hint !== "" && (
        <p className="quiet">
          <Prose text={hint} />
        </p>
      )}
    </div>
  );
}
