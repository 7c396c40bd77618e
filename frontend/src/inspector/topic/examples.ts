import { examplesOf } from "../../api/calls";
import type { Examples } from "../../api/types";

const SHOWN = 5;
const underWay = new Map<string, Promise<Examples>>();

/** The newest records of a topic; who asks while the same is being fetched gets that answer. */
export function askExamples(cluster: string, topic: string): Promise<Examples> {
  const name = `${cluster}/${topic}`;
  const asked = underWay.get(name);
  if (asked !== undefined) return asked;
  const answer = examplesOf(cluster, topic, SHOWN).finally(() => underWay.delete(name));
  underWay.set(name, answer);
  return answer;
}
