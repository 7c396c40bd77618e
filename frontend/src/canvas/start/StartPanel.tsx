import { useCallback, useMemo, useState, useEffect } from "react";
import { listTopics } from "../../api/calls";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useResource } from "../../api/useResource";
import { RefusalNotice } from "../../ui/messages/Notice";
import { FirstSteps } from "./FirstSteps";
import { TopicList } from "./TopicList";
import { useProposals } from "./useProposals";
import "./StartPanel.css";

/** On an empty canvas: pick a topic, see its records, choose a first step. */
export function StartPanel() {
  const { cluster } = useDeployment();
  const load = useCallback(() => listTopics(cluster), [cluster]);
  const { data, refusal } = useResource(load);
  const topics = useMemo(() => (data ?? []).filter(({ name }) => !INTERNAL.test(name)), [data]);
  const names = useMemo(() => topics.map(({ name }) => name), [topics]);
  const [topic, setTopic] = useState<string | null>(null);
  const { examples, proposals, refusal: proposalRefusal } = useProposals(cluster, topic, names);
  const wasDragged = useDragging();
  const isLoading = topic !== null && examples === null && proposalRefusal === null;

  return (
    <section className={wasDragged ? "start aside" : "start"} aria-label="Start with a topic">
      <header>
        <h2>Start with a topic</h2>
        <p className="quiet">Pick what to read. Or drag an operator here from the left.</p>
      </header>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <div className="columns">
        {data !== null && <TopicList topics={topics} current={topic} choose={setTopic} />}
        <div className="topic-choice" aria-live="polite" aria-busy={isLoading}>
          {topic === null && (
            <div className="nothing">
              <Sketch />
              <p>Its newest records and some first steps appear here.</p>
            </div>
          )}
          {isLoading && <p className="nothing">Reading the newest records of {topic} …</p>}
          {proposalRefusal !== null && <RefusalNotice refusal={proposalRefusal} />}
          {examples !== null && <FirstSteps examples={examples} proposals={proposals} />}
        </div>
      </div>
    </section>
  );
}

/** What such steps look like once they are drawn. */
function Sketch() {
  const nodes = ["kind-stream", "kind-stream", "kind-table", "kind-end"];
  return (
    <svg className="sketch" viewBox="0 0 316 48" aria-hidden="true" focusable="false">
      <path d="M64 24h20m64 0h20m64 0h20" />
      {nodes.map((kind, index) => (
        <g key={index} className={kind} transform={`translate(${index * 84} 6)`}>
          <rect className="box" width="64" height="36" rx={kind === "kind-table" ? 2 : 9} />
          <rect className="tile" width="16" height="36" rx={kind === "kind-table" ? 2 : 7} />
          <path d="M25 14h28m-28 9h17" />
        </g>
      ))}
    </svg>
  );
}

/** Internal topics of Kafka and this product. */
const INTERNAL = /^__|^streamwright-markers$/;

/** Whether the user drags something over the page. */
function useDragging(): boolean {
  const [wasDragged, setDragged] = useState(false);
  useEffect(() => {
    const begin = () => window.setTimeout(() => setDragged(true)); // an immediate change would end the drag in Chromium
    const over = () => setDragged(false);
    window.addEventListener("dragstart", begin);
    window.addEventListener("dragend", over);
    window.addEventListener("drop", over);
    return () => {
      window.removeEventListener("dragstart", begin);
      window.removeEventListener("dragend", over);
      window.removeEventListener("drop", over);
    };
  }, []);
  return wasDragged;
}
