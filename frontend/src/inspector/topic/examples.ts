import { fetchExamples, listTopicSchemas } from "../../api/calls";
import type { Examples } from "../../api/types";
import { findOffers, isUnread, type Offer } from "./registry";

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

/** The schemas of the cluster's registry that the examples name. None if their bytes say enough themselves. */
export async function askOffers(cluster: string, examples: Examples): Promise<readonly Offer[]> {
  if (!examples.has_registry || !(isUnread(examples, "key") || isUnread(examples, "value"))) return [];
  return findOffers(examples, await listTopicSchemas(cluster, examples.topic.name, NO_SUBJECTS));
}

const NO_SUBJECTS = { key_subject: "", value_subject: "" };
