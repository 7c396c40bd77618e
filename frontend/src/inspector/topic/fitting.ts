import type { Topic } from "../../api/types";

/** Topics with the text in their names. Those that begin with it come first. */
export function findTopics(topics: readonly Topic[], text: string): readonly Topic[] {
  const query = text.toLowerCase();
  const begins = ({ name }: Topic) => (name.toLowerCase().startsWith(query) ? 0 : 1);
  return topics
    .filter(({ name }) => name.toLowerCase().includes(query))
    .sort((one, other) => begins(one) - begins(other));
}

/** The next place in a list of `length`, in a circle. From -1 (none), a step goes to the first or the last. */
export function findNextPlace(from: number, by: -1 | 1, length: number): number {
  if (length === 0) return -1;
  return from < 0 ? (by === 1 ? 0 : length - 1) : (from + by + length) % length;
}
