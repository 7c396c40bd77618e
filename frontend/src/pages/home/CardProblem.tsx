import { Prose } from "../../ui/messages/Prose";
import type { Cause } from "../../live/state";

/** Why a job does not run, and what to do next. */
export function CardProblem({ problem: { message, hint } }: { readonly problem: Pick<Cause, "message" | "hint"> }) {
  return (
    <div className="problem">
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
