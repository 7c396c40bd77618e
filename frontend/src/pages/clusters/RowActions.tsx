import { Button } from "../../ui/controls/Button";

interface Props {
  /** The label of Test meanwhile. */
  readonly testing: string;
  readonly isTesting: boolean;
  readonly test: () => void;
  readonly mayChange: boolean;
  /** Set by the environment: it cannot be removed. */
  readonly isGiven: boolean;
  readonly jobs: readonly string[];
  readonly change: () => void;
  readonly forget: () => void;
}

/** The actions of a cluster. */
export function RowActions({ testing, isTesting, test, mayChange, isGiven, jobs, change, forget }: Props) {
  return (
    <td className="actions">
      <Button isBusy={isTesting} onClick={test}>
        {isTesting ? testing : "Test"}
      </Button>
      {mayChange && <Button onClick={change}>Change</Button>}
      {mayChange && !isGiven && (
        <Button
          disabled={jobs.length > 0}
          title={jobs.length === 0 ? undefined : `Used by jobs: ${jobs.join(", ")}`}
          onClick={forget}
        >
          Remove
        </Button>
      )}
    </td>
  );
}
