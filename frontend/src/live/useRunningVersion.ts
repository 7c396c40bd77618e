import { useEffect, useState } from "react";
import { fetchVersion } from "../api/calls";
import type { Job } from "../api/types";
import type { JobStatus } from "./state";

/**
 * The number of the running version, or of the last. Before the first run, that of the deployed one.
 * Null without a job, and until the server has said the number. The draft is compared with this version
 * (`useRunningGraph`).
 */
export function useRunningVersion(job: Job | null, jobStatus: JobStatus | null): number | null {
  const [deployed, number] = [job?.version ?? null, job?.version_number ?? null];
  const id = jobStatus?.running_version ?? deployed;
  const [answer, setAnswer] = useState<{ readonly id: number; readonly number: number } | null>(null);
  useEffect(() => {
    if (id === null || number === null) return;
    let isWanted = true;
    const take = (number: number) => isWanted && setAnswer({ id, number });
    // a deploy makes another version the deployed one while this one runs on
    if (id === deployed) take(number);
    else fetchVersion(id).then((version) => take(version.number), () => take(number));
    return () => {
      isWanted = false;
    };
  }, [id, deployed, number]);
  if (id === deployed) return number;
  return answer?.id === id ? answer.number : null;
}
