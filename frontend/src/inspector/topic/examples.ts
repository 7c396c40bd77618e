import { fetchExamples } from "../../api/calls";
import type { Examples } from "../../api/types";

const SHOWN = 5;
const underWay = new Map<string, Promise<Examples>>();

/** The newest records of a topic. Simultaneous requests for the same topic share one answer. */
export function askExamples(cluster: string, topic: string): Promise<Examples> {
  const name = `${cluster}/${topic}`;
  const promise = underWay.get(name);
  if (promise !== undefined) return promise;
  const answer = fetchExamples(cluster, topic, SHOWN).finally(() => underWay.delete(name));
  underWay.set(name, answer);
  return answer;
}
