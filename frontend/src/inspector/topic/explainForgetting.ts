/** The loss of a table whose topic does not keep the newest row of each key. */
import type { Examples, Operator } from "../../api/types";
import { formatDuration } from "../../ui/text/format";

const CURE = "Set `cleanup.policy` of the topic to `compact` to keep the newest row of each key.";

/** Why rows of the table may be lost, and the next step. Null if none are. */
export function explainForgetting(
  { cleanup, retention_ms }: Pick<Examples, "cleanup" | "retention_ms">,
  { has_topic_of_rows }: Pick<Operator, "has_topic_of_rows">,
) {
  if (!has_topic_of_rows || retention_ms === null || !cleanup.includes("delete")) return null;
  const lifetime = formatDuration(retention_ms);
  return `Kafka deletes records older than ${lifetime} here. A table that is read again lacks those rows. ${CURE}`;
}
