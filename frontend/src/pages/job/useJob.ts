import { useCallback, useEffect } from "react";
import { fetchJob, fetchTopology, listEvents, listRuns, listVersions } from "../../api/calls";
import type { Job, JobEvent, Run, Topology, VersionSummary } from "../../api/types";
import { useResource, type Resource } from "../../api/useResource";

export interface JobFacts {
  readonly job: Job;
  readonly topology: Topology;
  readonly versions: readonly VersionSummary[];
  readonly runs: readonly Run[];
  readonly events: readonly JobEvent[];
}

/** A job in Postgres, fetched again whenever its `jobStatus` (any value) changes. */
export function useJob(id: number, jobStatus: string): Resource<JobFacts> {
  const load = useCallback(async () => {
    const [job, runs, events] = await Promise.all([fetchJob(id), listRuns(id), listEvents(id)]);
    const [topology, versions] = await Promise.all([fetchTopology(job.topology), listVersions(job.topology)]);
    return { job, topology, versions, runs, events };
  }, [id]);
  const resource = useResource(load);
  const { reload } = resource;
  useEffect(() => {
    if (jobStatus !== "") void reload();
  }, [jobStatus, reload]);
  return resource;
}
