import { sampleOf } from "../../api/calls";
import type { Sample } from "../../api/types";

const SHOWN = 5;
const underWay = new Map<string, Promise<Sample>>();

/** The newest records of a topic; who asks while the same is being fetched gets that answer. */
export function sampleTopic(cluster: string, topic: string): Promise<Sample> {
  const name = `${cluster}/${topic}`;
  const asked = underWay.get(name);
  if (asked !== undefined) return asked;
  const answer = sampleOf(cluster, topic, SHOWN).finally(() => underWay.delete(name));
  underWay.set(name, answer);
  return answer;
}
