/** What is known of a job's run right now, and how each event changes it. The words and units are the server's. */

export type Status = "starting" | "restoring" | "running" | "stopping" | "stopped" | "failed";

export interface NodeNumbers {
  readonly in: number;
  readonly out: number;
  readonly dropped: number;
  readonly errors: number;
  /** Records in per second. */
  readonly rate: number;
}

export interface PartitionNumbers {
  readonly partition: number;
  readonly offset: number;
  readonly end: number;
  readonly lag: number;
}

export interface SourceNumbers {
  readonly lag: number;
  readonly rate: number;
  readonly lag_seconds: number | null;
  readonly catch_up_seconds: number | null;
  readonly partitions: readonly PartitionNumbers[];
}
