import type { RecordSchemaOfRegistry } from "../../api/types";

/** "Schema orders-value version 3, id 7", with the kind if records of it are not decoded. */
export function describeSchema({ id, kind, subject, version }: RecordSchemaOfRegistry): string {
  const place = subject === null ? "" : `${subject} version ${version}, `;
  const form = kind !== "PROTOBUF" ? "" : `; ${kind} is shown as bytes`;
  return `Schema ${place}id ${id}${form}`;
}
