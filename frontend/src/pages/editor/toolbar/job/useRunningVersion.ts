import { useEffect, useState } from "react";
import { fetchVersion } from "../../../../api/calls";
import type { Job } from "../../../../api/types";
import type { JobStatus } from "../../../../live/state";

/**
 * The number of the running version, or of the last. Before the first run, that of the deployed one.
 * Null without a job. The draft is compared with this version (`useRunningGraph`).
 */
export function useRunningVersion(job: Job | null, jobStatus: JobStatus | null): number | null {
  const deployed = job?.version ?? null;
  const id = jobStatus?.running_version ?? deployed;
  const [answer, setAnswer] = useState<{ readonly id: number; readonly number: number } | null>(null);
  useEffect(() => {
    if (id === null || id === deployed) return;
    let isWanted = true;
    fetchVersion(id).then(
      ({ number }) => {
        if (isWanted) setAnswer({ id, number });
      },
      () => undefined, // the deployed version's number stays until the next answer
    );
    return () => {
      isWanted = false;
    };
  }, [id, deployed]);
  if (answer?.id === id) return answer.number;
  return job?.version_number ?? null;
}
