import type { Cause } from "../../live/state";
import { age } from "../../numbers/format";
import { Notice } from "../../parts/Notice";
import { Prose } from "../../parts/Prose";

interface Props {
  readonly ms: number;
  readonly cause: Cause | null;
}

/** The last run failed and the next one waits: for how long, and why. */
export function WaitNotice({ ms, cause }: Props) {
  return (
    <Notice tone="warn" title={`The last run failed. The next starts in ${age(ms)}.`}>
      {cause !== null && (
        <p>
          <Prose text={`${cause.message} ${cause.hint}`} />
        </p>
      )}
    </Notice>
  );
}
