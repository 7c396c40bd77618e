/** Every question this page asks the API, by name. */

import type { Point } from "../live/history";
import type { Snapshot } from "../live/state";
import { request } from "./request";
import type { Catalogue, JobEvent, JobSummary, RunSummary, TopologySummary, Version, VersionSummary } from "./types";

export const catalogue = () => request<Catalogue>("GET", "/api/operators");

export const everyTopology = () => request<TopologySummary[]>("GET", "/api/topologies");
export const importTopology = (exported: unknown) =>
  request<TopologySummary>("POST", "/api/topologies/import", exported);
export const draftOf = (topology: number) =>
  request<{ graph: Record<string, unknown> }>("GET", `/api/topologies/${topology}/draft`);
export const versionsOf = (topology: number) =>
  request<VersionSummary[]>("GET", `/api/topologies/${topology}/versions`);
export const saveVersion = (topology: number) =>
  request<Version>("POST", `/api/topologies/${topology}/versions`, {});
export const version = (id: number) => request<Version>("GET", `/api/versions/${id}`);

export const everyJob = () => request<JobSummary[]>("GET", "/api/jobs");
export const oneJob = (job: number) => request<JobSummary>("GET", `/api/jobs/${job}`);
export const runsOf = (job: number) => request<RunSummary[]>("GET", `/api/jobs/${job}/runs`);
export const eventsOf = (job: number) => request<JobEvent[]>("GET", `/api/jobs/${job}/events`);
export const stopJob = (job: number) => request<JobSummary>("POST", `/api/jobs/${job}/stop`);
export const restartJob = (job: number) => request<JobSummary>("POST", `/api/jobs/${job}/restart`);
export const liveState = (job: number) => request<Snapshot>("GET", `/api/jobs/${job}/live`);
export const jobHistory = (job: number) => request<Point[]>("GET", `/api/jobs/${job}/history`);
