import { useCallback, useEffect } from "react";
import { listTopics } from "../../api/calls";
import type { Topic } from "../../api/types";
import { useLive } from "../../live/LiveContext";
import { useResource } from "../../api/useResource";
import type { TopicLook } from "../form/FormContext";
import { askExamples } from "./examples";

const NONE: readonly Topic[] = [];

/** Looks at a topic of a cluster, or at nothing if `topic` is null because the node has none. */
export function useTopicLook(cluster: string, topic: string | null): TopicLook {
  const isWanted = topic !== null;
  const listing = useResource(useCallback(async () => (isWanted ? listTopics(cluster) : NONE), [cluster, isWanted]));
  const match = listing.data?.find(({ name }) => name === topic);
  const name = match?.name;
  const sampling = useResource(
    useCallback(async () => (name === undefined ? null : askExamples(cluster, name)), [cluster, name]),
  );
  const examples = sampling.data?.topic.name === topic ? sampling.data : null;
  const { reload } = listing;
  const isRunning = useLive(({ state }) => state?.jobStatus.status === "running");
  useEffect(() => {
    if (isRunning) void reload(); // a deploy creates topics
  }, [isRunning, reload]);
  const lookAgain = async () => {
    await Promise.all([listing.reload(), sampling.reload()]);
  };
  return { cluster, topics: listing.data, match, examples, refusal: listing.refusal ?? sampling.refusal, lookAgain };
}
