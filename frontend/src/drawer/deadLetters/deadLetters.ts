/** The number of a run's records that became dead letters, and the origin of each. */
import type { DeadLetterDetails } from "../../api/feed";
import type { Numbers } from "../../live/state";
import type { Origin } from "../../api/types";

/** For a node, or for all. Null while the run's numbers are unknown. */
export function countDeadLetters(numbers: Numbers | null | undefined, node: string | null): number | null {
  if (numbers == null) return null;
  return node === null ? numbers.dead_letters : (numbers.nodes[node]?.dead_letters ?? 0);
}

/** The failed record, or null if the letter has none, as for a punctuator. */
export function findOrigin(letter: DeadLetterDetails | null): Origin | null {
  if (letter?.topic == null || letter.partition === null || letter.offset === null) return null;
  return { topic: letter.topic, partition: letter.partition, offset: letter.offset };
}
