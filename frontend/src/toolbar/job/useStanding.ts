import type { Job } from "../../api/types";
import { useLive } from "../../live/LiveContext";
import type { Standing } from "../../live/state";
import { useDeployment } from "../../editor/interface/useDeployment";

/** How the job on the screen stands, as newly as is known; null without a job. */
export function useStanding(): Standing | null {
  const { job } = useDeployment();
  const live = useLive(({ state }) => state?.standing ?? null);
  return job === null ? null : (live ?? makeStanding(job));
}

/** Whether nothing of the job moves any more, nor is about to. */
export function isAtRest({ status, desired }: Standing): boolean {
  return desired === "stopped" && (status === "stopped" || status === "failed");
}

/** What was answered when the page asked, until its websocket sends it. */
function makeStanding(job: Job): Standing {
  return { ...job, job: job.id, running_version: null };
}
