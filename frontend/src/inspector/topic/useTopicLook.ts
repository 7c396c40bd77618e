import { useCallback } from "react";
import { topics } from "../../api/calls";
import type { Refusal } from "../../api/refusal";
import type { Sample, Topic } from "../../api/types";
import { useFetched } from "../../api/useFetched";
import { sampled } from "./sampled";

/** A topic as the cluster has it. */
export interface TopicLook {
  readonly cluster: string;
  /** Every topic of the cluster; null until they are known. */
  readonly topics: readonly Topic[] | null;
  /** The topic itself; undefined where the cluster has none of that name. */
  readonly found: Topic | undefined;
  readonly sample: Sample | null;
  readonly refusal: Refusal | null;
  readonly lookAgain: () => Promise<void>;
}

const NONE: readonly Topic[] = [];

/** Looks at a topic of a cluster; at nothing while `topic` is null: the node has none. */
export function useTopicLook(cluster: string, topic: string | null): TopicLook {
  const wanted = topic !== null;
  const listing = useFetched(useCallback(async () => (wanted ? topics(cluster) : NONE), [cluster, wanted]));
  const found = listing.data?.find(({ name }) => name === topic);
  const name = found?.name;
  const sampling = useFetched(
    useCallback(async () => (name === undefined ? null : sampled(cluster, name)), [cluster, name]),
  );
  const sample = sampling.data?.topic.name === topic ? sampling.data : null;
  const lookAgain = async () => {
    await Promise.all([listing.reload(), sampling.reload()]);
  };
  return { cluster, topics: listing.data, found, sample, refusal: listing.refusal ?? sampling.refusal, lookAgain };
}
