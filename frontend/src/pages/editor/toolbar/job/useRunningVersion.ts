import { useEffect, useState } from "react";
import { fetchVersion } from "../../../../api/calls";
import type { Job } from "../../../../api/types";
import type { Standing } from "../../../../live/state";

/** The number of the running version, or of the last. Before the first run, that of the deployed one. */
export function useRunningVersion(job: Job, { running_version }: Standing): number {
  const id = running_version ?? job.version;
  const [answer, setAnswer] = useState<{ readonly id: number; readonly number: number } | null>(null);
  useEffect(() => {
    if (id === job.version) return;
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
  }, [id, job.version]);
  return answer?.id === id ? answer.number : job.version_number;
}
