/** What a node dropped: by which reason, and some of the records. */
import type { DroppedRecord, NodeNumbers } from "../../live/state";
import { count } from "../../numbers/format";

export interface DroppedRow extends DroppedRecord {
  readonly reason: string;
}

/** "late 1,024, null key 3", the most frequent reason first. */
export function reasonsOf(numbers: NodeNumbers): string {
  const reasons = Object.entries(numbers.dropped_by ?? {}).sort(([, one], [, other]) => other - one);
  return reasons.map(([reason, amount]) => `${reason} ${count(amount)}`).join(", ");
}

export function droppedRows(numbers: NodeNumbers): readonly DroppedRow[] {
  return Object.entries(numbers.dropped_samples ?? {}).flatMap(([reason, records]) =>
    records.map((record) => ({ reason, ...record })),
  );
}

/** "orders 3/1042": partition and offset, where they are known. */
export function placeOf({ topic, partition, offset }: DroppedRecord): string {
  return partition === null || offset === null ? topic : `${topic} ${partition}/${offset}`;
}
