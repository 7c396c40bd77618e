import { useCallback, useEffect, useMemo, useState } from "react";
import { fetchTopicEnds, listClusters, listTopicFacts } from "../../api/calls";
import { toRefusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { TopicEnds } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import "../../ui/controls/controls.css";
import { formatAmount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Search } from "../../ui/controls/Search";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";
import { useTitle } from "../../ui/routing/useTitle";
import { NewTopicDialog } from "./NewTopicDialog";
import { Skeleton } from "../../ui/display/Skeleton";
import { TopicsTable } from "./TopicsTable";
import { computeRate, fits } from "./text";
import "./Topics.css";

const LOOK_MS = 3_000;
const FACTS_MS = 20_000;

/** The topics of a cluster: their sizes and rates, and their readers and writers. */
export function Topics({ cluster }: { readonly cluster: string }) {
  const { data, refusal, reload } = useResource(useCallback(() => listTopicFacts(cluster), [cluster]));
  const { data: clusterData } = useResource(listClusters);
  const [text, setText] = useState("");
  const [isMaking, setIsMaking] = useState(false);
  const whyNot = useWhyNot("operator");
  const rates = useRates(cluster);
  usePolling(reload, FACTS_MS);
  useTitle("Topics");
  const matches = useMemo(() => (data ?? []).filter((topic) => fits(topic, text)), [data, text]);
  const internal = matches.filter((topic) => topic.is_internal);
  const own = matches.filter((topic) => !topic.is_internal);
  return (
    <div className="page topics-page">
      <div className="title">
        <h1>Topics</h1>
        <div className="controls filter-bar">
          <label className="choice">
            Cluster
            <select value={cluster} onChange={({ target }) => openPath(hrefs.topics(target.value))}>
              {(clusterData?.clusters.map(({ name }) => name) ?? [cluster]).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          {clusterData?.clusters.some(({ name, registry }) => name === cluster && registry !== null) === true && (
            <Link href={hrefs.schemas(cluster)} className="link">
              Schemas
            </Link>
          )}
          <Search label="Search topics and their users" value={text} change={setText} />
          <Button
            look="primary"
            icon="add"
            why={whyNot}
            onClick={() => setIsMaking(true)}
          >
            New topic
          </Button>
        </div>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton rows={12} />}
      {data !== null && own.length === 0 && (
        <p className="quiet">{text === "" ? "This cluster has no topics yet." : "No topic matches."}</p>
      )}
      {own.length > 0 && <TopicsTable label="Topics" cluster={cluster} topics={own} rate={rates} />}
      {internal.length > 0 && (
        <details className="internal">
          <summary>{formatAmount(internal.length, "internal topic")}</summary>
          <TopicsTable label="Internal topics" cluster={cluster} topics={internal} rate={rates} />
        </details>
      )}
      {isMaking && (
        <NewTopicDialog
          cluster={cluster}
          onCreate={(topic) => openPath(hrefs.topic(cluster, topic))}
          close={() => setIsMaking(false)}
        />
      )}
    </div>
  );
}

/** Records a second of each topic, from the last two reads of its end offsets. */
function useRates(cluster: string): (topic: string) => number | null {
  const [looks, setLooks] = useState<readonly [TopicEnds | null, TopicEnds | null]>([null, null]);
  const look = useCallback(async () => {
    try {
      const now = await fetchTopicEnds(cluster);
      setLooks(([, before]) => [before, now]);
    } catch (error) {
      toRefusal(error); // the list itself shows the reason
      setLooks([null, null]);
    }
  }, [cluster]);
  // eslint-disable-next-line react-hooks/set-state-in-effect -- state is set when the answer arrives, not here
  useEffect(() => void look(), [look]);
  usePolling(look, LOOK_MS);
  const [before, now] = looks;
  return useCallback((topic) => computeRate(topic, before, now), [before, now]);
}
