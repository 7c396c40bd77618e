/** The records that a node dropped: the reasons, and some examples. */
import type { Catalogue } from "../../api/types";
import type { DroppedRecord, NodeNumbers } from "../../live/state";
import { describeReasons } from "./balance";

export interface DroppedRow extends DroppedRecord {
  readonly reason: string;
}

/** "late 1,024, null key 3", the most frequent reason first. */
export function describeDrops(numbers: NodeNumbers): string {
  return describeReasons(numbers.dropped_by);
}

/** Each reason with a remedy, in the words of the server. */
export function listCures(numbers: NodeNumbers, cures: Catalogue["cures"]): readonly (readonly [string, string])[] {
  const reasons = Object.keys(numbers.dropped_by ?? {}).map((reason) => [reason, cures[reason] ?? ""] as const);
  return reasons.filter(([, cure]) => cure !== "");
}

export function listDroppedRows(numbers: NodeNumbers): readonly DroppedRow[] {
  return Object.entries(numbers.dropped_samples ?? {}).flatMap(([reason, records]) =>
    records.map((record) => ({ reason, ...record })),
  );
}

