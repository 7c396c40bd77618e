import { useEffect, useState } from "react";
import { sampleOf } from "../api/calls";
import { refusalFrom, type Refusal } from "../api/refusal";
import type { Sample } from "../api/types";
import { useEditing } from "../editor/interface/useEditor";
import type { Operators } from "../graph/ports";
import { lookUp, proposalsFor, type Proposal } from "./proposals";

const RECORDS = 5;
/** Each costs about a second of the broker's and is asked beside the others; a table further down is not found. */
const MAX_TABLES = 8;

export interface FirstSteps {
  readonly sample: Sample | null;
  readonly proposals: readonly Proposal[];
  readonly refusal: Refusal | null;
}

const NOTHING: FirstSteps = { sample: null, proposals: [], refusal: null };

/** A topic's newest records, and what could be drawn from it; a look-up comes later, where another topic fits. */
export function useProposals(cluster: string, topic: string | null, topics: readonly string[]): FirstSteps {
  const { operators } = useEditing().rules;
  const [found, setFound] = useState<FirstSteps & { readonly of: string | null }>({ ...NOTHING, of: null });
  useEffect(() => {
    if (topic === null) return;
    let isWanted = true;
    const show = (steps: FirstSteps) => {
      if (isWanted) setFound({ ...steps, of: topic });
    };
    const ask = async () => {
      const sample = await sampleOf(cluster, topic, RECORDS);
      const proposals = proposalsFor(sample, topics, operators);
      show({ sample, proposals, refusal: null });
      const table = await tableFor(cluster, sample, topics, operators);
      if (table !== null) show({ sample, proposals: [...proposals, table], refusal: null });
    };
    ask().catch((error: unknown) => show({ ...NOTHING, refusal: refusalFrom(error) }));
    return () => {
      isWanted = false;
    };
  }, [cluster, topic, topics, operators]);
  return found.of === topic ? found : NOTHING;
}

async function tableFor(
  cluster: string,
  sample: Sample,
  topics: readonly string[],
  operators: Operators,
): Promise<Proposal | null> {
  const others = topics.filter((topic) => topic !== sample.topic.name).slice(0, MAX_TABLES);
  const samples = await Promise.allSettled(others.map((topic) => sampleOf(cluster, topic, RECORDS)));
  const tables = samples.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return tables.map((table) => lookUp(sample, table, topics, operators)).find((proposal) => proposal !== null) ?? null;
}
