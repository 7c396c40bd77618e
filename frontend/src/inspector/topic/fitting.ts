import type { Topic } from "../../api/types";

/** Topics with the text in their names. Those that begin with it come first. */
export function findTopics(topics: readonly Topic[], text: string): readonly Topic[] {
  const query = text.toLowerCase();
  const begins = ({ name }: Topic) => (name.toLowerCase().startsWith(query) ? 0 : 1);
  return topics
    .filter(({ name }) => name.toLowerCase().includes(query))
    .sort((one, other) => begins(one) - begins(other));
}
