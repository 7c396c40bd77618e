import type { Job } from "../../../../api/types";
import { useLive } from "../../../../live/LiveContext";
import type { Standing } from "../../../../live/state";
import { useDeployment } from "../../../../editor/interface/useDeployment";

/** The newest known state of the shown job, or null without a job. */
export function useStanding(): Standing | null {
  const { job } = useDeployment();
  const live = useLive(({ state }) => state?.standing ?? null);
  return job === null ? null : (live ?? makeStanding(job));
}

/** Whether the job rests, and nothing is about to move it. */
export function isAtRest({ status, desired }: Standing): boolean {
  return desired === "stopped" && (status === "stopped" || status === "failed");
}

/** The first answer to the page, until its websocket sends a newer one. */
function makeStanding(job: Job): Standing {
  return { ...job, job: job.id, running_version: null };
}
