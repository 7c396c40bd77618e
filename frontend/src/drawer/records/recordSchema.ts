import type { RecordSchemaOfRegistry } from "../../api/types";

/** "Schema orders-value version 3, id 7", with the kind if it is not Avro, which alone is decoded. */
export function describeSchema({ id, kind, subject, version }: RecordSchemaOfRegistry): string {
  const place = subject === null ? "" : `${subject} version ${version}, `;
  const form = kind === "AVRO" ? "" : `; ${kind} is shown as bytes`;
  return `Schema ${place}id ${id}${form}`;
}
