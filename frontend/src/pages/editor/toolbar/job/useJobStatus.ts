import type { Job } from "../../../../api/types";
import { useLive } from "../../../../live/LiveContext";
import type { JobStatus } from "../../../../live/state";
import { useDeployment } from "../../../../editor/interface/useDeployment";

/** The newest known state of the shown job, or null without a job. */
export function useJobStatus(): JobStatus | null {
  const { job } = useDeployment();
  const live = useLive(({ state }) => state?.jobStatus ?? null);
  return job === null ? null : (live ?? makeJobStatus(job));
}

/** Whether the job rests, and nothing is about to move it. */
export function isAtRest({ status, desired }: JobStatus): boolean {
  return desired === "stopped" && (status === "stopped" || status === "failed");
}

/** The first answer to the page, until its websocket sends a newer one. */
function makeJobStatus(job: Job): JobStatus {
  return { ...job, job: job.id, running_version: null };
}
