import { useEffect, useState } from "react";
import { fetchExamples } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Examples } from "../../api/types";
import { useEditing } from "../../editor/interface/useEditor";
import type { Operators } from "../../editor/graph/ports";
import { askOffers } from "../../inspector/topic/examples";
import { lookUp, makeProposals, type Proposal, type TopicExamples } from "./proposals";

const RECORDS = 5;
/** Until an empty topic is asked again: its first record may come at any moment. */
const AGAIN_MS = 2_000;
/** Each takes about a second of the broker's time beside the others. Tables after these are not found. */
const MAX_TABLES = 8;

export interface FirstSteps {
  readonly examples: (Examples & TopicExamples) | null;
  readonly proposals: readonly Proposal[];
  readonly refusal: Refusal | null;
}

const NOTHING: FirstSteps = { examples: null, proposals: [], refusal: null };

/** A topic's newest records, and proposals for it. A look-up is added later if another topic fits. */
export function useProposals(cluster: string, topic: string | null, topics: readonly string[]): FirstSteps {
  const { operators } = useEditing().rules;
  const [answer, setAnswer] = useState<FirstSteps & { readonly of: string | null }>({ ...NOTHING, of: null });
  useEffect(() => {
    if (topic === null) return;
    let isWanted = true;
    const show = (steps: FirstSteps) => {
      if (isWanted) setAnswer({ ...steps, of: topic });
    };
    const offer = async (): Promise<void> => {
      const examples = await ask(cluster, topic);
      const proposals = makeProposals(examples, topics, operators);
      show({ examples, proposals, refusal: null });
      if (examples.messages.length === 0) {
        await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
        return isWanted ? offer() : undefined;
      }
      const table = await findLookUp(cluster, examples, topics, operators);
      if (table !== null) show({ examples, proposals: [...proposals, table], refusal: null });
    };
    offer().catch((error: unknown) => show({ ...NOTHING, refusal: toRefusal(error) }));
    return () => {
      isWanted = false;
    };
  }, [cluster, topic, topics, operators]);
  return answer.of === topic ? answer : NOTHING;
}

/** The newest records of a topic, with the schemas of a registry that they name. */
async function ask(cluster: string, topic: string): Promise<Examples & TopicExamples> {
  const examples = await fetchExamples(cluster, topic, RECORDS);
  return { ...examples, offers: await askOffers(cluster, examples).catch(() => []) };
}

async function findLookUp(
  cluster: string,
  examples: TopicExamples,
  topics: readonly string[],
  operators: Operators,
): Promise<Proposal | null> {
  const others = topics.filter((topic) => topic !== examples.topic.name).slice(0, MAX_TABLES);
  const answers = await Promise.allSettled(others.map((topic) => ask(cluster, topic)));
  const tables = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const lookups = tables.map((table) => lookUp(examples, table, topics, operators));
  return lookups.find((proposal) => proposal !== null) ?? null;
}
