import type { RecordSchemaOfRegistry } from "../../api/types";

/** "Schema orders-value version 3, id 7". */
export function describeSchema({ id, subject, version }: RecordSchemaOfRegistry): string {
  const place = subject === null ? "" : `${subject} version ${version}, `;
  return `Schema ${place}id ${id}`;
}
