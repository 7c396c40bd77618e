/** INTERIM */
import type { Cause, Status } from "../live/state";

export interface Operator {
  name: string; help: string; icon: string; family: string; rekeys: boolean;
  inputs: { name: string; takes: string[] }[];
  outputs: { name: string; gives: string | null; like: string | null }[];
  form: Record<string, unknown>; expressions: string[];
}
export interface Catalogue { operators: Operator[]; refused: unknown[] }
export interface TopologySummary {
  id: number; name: string; slug: string; owner: string | null; created_at: string; updated_at: string;
  updated_by: string | null; newest_version: number | null;
}
export interface VersionSummary { id: number; number: number; note: string; created_at: string; created_by: string | null }
export interface Version extends VersionSummary { topology_id: number; graph: Record<string, unknown>; schemas: Record<string, unknown> }
export interface JobSummary {
  id: number; name: string; application_id: string; topology_id: number; version_id: number; version_number: number;
  cluster: string; status: Status; desired: string; settings: Record<string, unknown>; problem: Cause | null;
  updated_at: string; updated_by: string; created_at: string; created_by: string;
}
export interface RunSummary {
  id: number; generation: number; epoch: number; version_number: number; status: Status; started_at: string | null;
  ended_at: string | null; created_at: string; stop_reason: string; last_batch: number | null; failure: Cause | null; host: string;
}
export interface JobEvent { id: number; what: string; by: string; at: string; before: Record<string, unknown>; after: Record<string, unknown> }
