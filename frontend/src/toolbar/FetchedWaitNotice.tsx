import { useCallback } from "react";
import { runsOf } from "../api/calls";
import { useFetched } from "../api/useFetched";
import { WaitNotice } from "../pages/job/WaitNotice";
import { lastFailure } from "../pages/job/waiting";

/** The notice of a job that waits, with the cause asked of the server: the canvas does not hold a job's runs. */
export function FetchedWaitNotice({ job, ms }: { readonly job: number; readonly ms: number }) {
  const load = useCallback(() => runsOf(job), [job]);
  const { data } = useFetched(load);
  return <WaitNotice ms={ms} cause={lastFailure(data ?? [])} />;
}
