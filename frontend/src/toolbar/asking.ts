import { request } from "../api/request";

/** The draft of a topology, or a drawing that is nowhere else, as Import takes it. */
export interface Exported {
  readonly streamwright: 1;
  readonly name: string;
  readonly graph: unknown;
  readonly schemas: unknown;
}

export const deleteJob = (id: number) => request<null>("DELETE", `/api/jobs/${id}`);
export const exportOf = (topology: number) => request<Exported>("GET", `/api/topologies/${topology}/export`);
