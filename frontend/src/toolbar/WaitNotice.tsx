import { useCallback } from "react";
import { runsOf } from "../api/calls";
import { useFetched } from "../api/useFetched";
import { age } from "../numbers/format";
import { lastFailure } from "../pages/job/waiting";
import { Notice } from "../parts/Notice";
import { Prose } from "../parts/Prose";

/** The last run failed and the next one waits: for how long, and why. */
export function WaitNotice({ job, ms }: { readonly job: number; readonly ms: number }) {
  const load = useCallback(() => runsOf(job), [job]);
  const { data } = useFetched(load);
  const cause = lastFailure(data ?? []);
  return (
    <Notice tone="warn" title={`The last run failed. The next begins in ${age(ms)}.`}>
      {cause !== null && (
        <p>
          <Prose text={`${cause.message} ${cause.hint}`} />
        </p>
      )}
    </Notice>
  );
}
