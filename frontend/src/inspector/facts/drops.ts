/** What a node dropped: by which reason, and some of the records. */
import type { DroppedRecord, NodeNumbers } from "../../live/state";
import { byFrequency } from "./books";

export interface DroppedRow extends DroppedRecord {
  readonly reason: string;
}

/** "late 1,024, null key 3", the most frequent reason first. */
export function reasonsOf(numbers: NodeNumbers): string {
  return byFrequency(numbers.dropped_by);
}

const CURES: Readonly<Record<string, string>> = {
  late: "Late: raise the grace of windowed_by or of the join, or `history_ms` of the table.",
  "past retention": "Past retention: raise `retention_ms` of windowed_by to keep windows longer.",
  "null key": "Null key: set a key upstream, with select_key or map.",
  "null key before repartition":
    "Null key before repartition: choose a key that is never null. Kafka Streams drops them without counting.",
  "null value": "Null value: set a value upstream with map_values, or remove such records with a filter.",
  "null foreign key": "Null foreign key: change its expression, or remove such rows with a filter.",
};

/** What may be done where records should not be dropped. */
export function curesOf(numbers: NodeNumbers): readonly string[] {
  return Object.keys(numbers.dropped_by ?? {}).flatMap((reason) => CURES[reason] ?? []);
}

export function droppedRows(numbers: NodeNumbers): readonly DroppedRow[] {
  return Object.entries(numbers.dropped_samples ?? {}).flatMap(([reason, records]) =>
    records.map((record) => ({ reason, ...record })),
  );
}

/** "orders 3/1042": partition and offset, where they are known. */
export function placeOf({
  topic,
  partition,
  offset,
}: Pick<DroppedRecord, "topic" | "partition" | "offset">): string {
  return partition === null || offset === null ? topic : `${topic} ${partition}/${offset}`;
}
