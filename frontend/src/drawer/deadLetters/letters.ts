/** How many records of a run became dead letters, and which record of a topic each of them was. */
import type { Letter } from "../../api/feed";
import type { Numbers } from "../../live/state";
import type { Origin } from "../../api/types";

/** Those of a node, or of all; null while nothing is known of the run. */
export function countLetters(numbers: Numbers | null | undefined, node: string | null): number | null {
  if (numbers == null) return null;
  return node === null ? numbers.dead_letters : (numbers.nodes[node]?.dead_letters ?? 0);
}

/** The record that failed; null if none led to the letter, such as a punctuator's. */
export function findOrigin(letter: Letter | null): Origin | null {
  if (letter?.topic == null || letter.partition === null || letter.offset === null) return null;
  return { topic: letter.topic, partition: letter.partition, offset: letter.offset };
}
