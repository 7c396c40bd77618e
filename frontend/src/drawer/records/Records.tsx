import { useMemo, useState } from "react";
import { makeDecodedPath, makeRecordsPath, type FeedRecord } from "../../api/feed";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { useCluster } from "../../editor/interface/useCluster";
import { findTopicFormats, type TopicFormats } from "../../editor/graph/topicFormats";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useDocument } from "../../editor/interface/useEditor";
import { useLive } from "../../live/LiveContext";
import { FollowRecord } from "./FollowRecord";
import { TailPane } from "./TailPane";
import { describeOwner, listTopicsNear } from "./topics";
import { MakeCaseOf } from "./MakeCaseOf";
import { useSending } from "./useSending";
import { WhyRecord } from "./WhyRecord";
import { useSelectedNode } from "../../editor/interface/useSelectedNode";

const NO_FORMATS: TopicFormats = { key: null, value: null };

/** The records of the selected node's topic, or of the nearest one. */
export function Records() {
  const cluster = useCluster();
  const { job } = useDeployment();
  const { graph } = useShownGraph();
  const node = useSelectedNode();
  const [choice, setChoice] = useState<{ readonly beside: string | null; readonly topic: string } | null>(null);
  const sources = useLive(({ state }) => Object.keys(state?.numbers?.sources ?? {}).join(" "));
  const places = useMemo(() => listTopicsNear(graph, node, sources.split(" ")), [graph, node, sources]);
  const own = choice?.beside === node ? places.find(({ topic }) => topic === choice.topic) : undefined;
  const place = own ?? places[0];
  const flows = useDocument(({ checkResult }) => checkResult?.nodes);
  const owner = graph.nodes.find(({ id }) => id === place?.node);
  const formats = owner === undefined ? NO_FORMATS : findTopicFormats(owner, flows?.[owner.id]);
  const sending = useSending(cluster, place?.topic ?? null, formats);

  if (place === undefined) return <p className="nothing">No node reads or writes a topic yet.</p>;
  const { topic } = place;
  const path = makeDecodedPath(makeRecordsPath(cluster, topic), formats);
  const actions = (record: FeedRecord) => {
    const origin = { topic, ...readPlace(record) };
    return (
      <>
        {sending.actions(record, topic, <FollowRecord target={{ record: origin }} />)}
        {job !== null && (
          <div className="record-actions">
            <MakeCaseOf records={[origin]} />
            <WhyRecord job={job.id} place={{ record: origin }} value={record.value} />
          </div>
        )}
      </>
    );
  };
  const actionsOfOpen = (records: readonly FeedRecord[]) => (
    <MakeCaseOf
      records={records.map((record) => ({ topic, ...readPlace(record) }))}
      label={`Make the ${records.length} open records a test case`}
    />
  );
  const empty = `\`${place.topic}\` holds no records yet.`;
  return (
    <TailPane key={path} path={path} label="Records" empty={empty} actions={actions} actionsOfOpen={actionsOfOpen}>
      <label className="choice">
        Topic
        <select value={place.topic} onChange={(event) => setChoice({ beside: node, topic: event.target.value })}>
          {places.map(({ topic }) => (
            <option key={topic}>{topic}</option>
          ))}
        </select>
      </label>
      <span className="quiet">{describeOwner(place, node, places[0])}</span>
      {sending.button}
      {sending.dialog}
    </TailPane>
  );
}

function readPlace({ partition, offset }: FeedRecord) {
  return { partition, offset };
}
