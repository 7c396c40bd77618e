import { useCallback, useEffect } from "react";
import { fetchJob, fetchTopology, listEvents, listRuns, listVersions } from "../../api/calls";
import type { Job, JobEvent, Run, Topology, VersionSummary } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource, type Resource } from "../../api/useResource";

const AGAIN_MS = 5_000;

export interface JobFacts {
  readonly job: Job;
  readonly topology: Topology;
  readonly versions: readonly VersionSummary[];
  readonly runs: readonly Run[];
  readonly events: readonly JobEvent[];
}

/** A job in Postgres, fetched again whenever its `jobStatus` (any value) changes, and until the server answers. */
export function useJob(id: number, jobStatus: string): Resource<JobFacts> {
  const load = useCallback(async () => {
    const [job, runs, events] = await Promise.all([fetchJob(id), listRuns(id), listEvents(id)]);
    const [topology, versions] = await Promise.all([fetchTopology(job.topology), listVersions(job.topology)]);
    return { job, topology, versions, runs, events };
  }, [id]);
  const resource = useResource(load);
  const { reload, refusal } = resource;
  useEffect(() => {
    if (jobStatus !== "") void reload();
  }, [jobStatus, reload]);
  usePolling(reload, refusal === null ? null : AGAIN_MS);
  return resource;
}
