import { useCallback, useState } from "react";
import { deleteTopic, emptyTopic, fetchTopicDetails } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { TopicDetails } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { formatAmount, formatBytes, formatCount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { BackLink } from "../../ui/controls/BackLink";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Tile } from "../../ui/display/Tile";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";
import { Skeleton } from "../../ui/display/Skeleton";
import { useTitle } from "../../ui/routing/useTitle";
import { RecordsPanel } from "./RecordsPanel";
import { PartitionsPanel } from "./PartitionsPanel";
import { SettingsPanel } from "./SettingsPanel";
import { TypedConfirm } from "./TypedConfirm";
import { UsersPanel } from "./UsersPanel";
import { describeRetention } from "./text";
import { groupUses } from "../../ui/display/userLines";
import "./Topics.css";
import "../../ui/display/UserLines.css";

interface Props {
  readonly cluster: string;
  readonly topic: string;
}

const LOOK_MS = 10_000;

/** A topic: its records, its readers and writers, its partitions, and its settings. */
export function TopicPage({ cluster, topic }: Props) {
  const { data, refusal, reload } = useResource(useCallback(() => fetchTopicDetails(cluster, topic), [cluster, topic]));
  const [asking, setAsking] = useState<"empty" | "delete" | null>(null);
  const whyNot = useWhyNot("administrator");
  usePolling(reload, LOOK_MS);
  useTitle(topic);
  const why = data?.is_internal === true ? "Kafka or Streamwright needs this topic as it is." : whyNot;
  const whyNow = data === null ? "The topic is not read yet." : why;
  return (
    <div className="page topic-page records-page">
      <div className="title">
        <div>
          <BackLink href={hrefs.topics(cluster)}>Topics of {cluster}</BackLink>
          <h1>{topic}</h1>
        </div>
        <div className="buttons">
          <Button why={whyNow} onClick={() => setAsking("empty")}>
            Empty
          </Button>
          <Button look="danger" why={whyNow} onClick={() => setAsking("delete")}>
            Delete
          </Button>
        </div>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data !== null && <Tiles topic={data} />}
      {data !== null && <RecordsPanel cluster={cluster} topic={data} onSend={() => void reload()} />}
      {data !== null && (
        <div className="halves">
          <UsersPanel topic={data} />
          <PartitionsPanel topic={data} />
        </div>
      )}
      {data !== null && (
        <SettingsPanel cluster={cluster} topic={data} whyNot={why} onChange={reload} />
      )}
      {asking === "empty" && (
        <TypedConfirm
          title={`Empty ${topic}?`}
          verb="Delete all records"
          name={topic}
          act={() => emptyTopic(cluster, topic).then(reload)}
          close={() => setAsking(null)}
        >
          {data !== null && <JobsThatNeedIt topic={data} isKept />}
          <p>
            Kafka deletes all records. Offsets continue from their current values, and settings stay. This cannot be
            undone.
          </p>
        </TypedConfirm>
      )}
      {asking === "delete" && (
        <TypedConfirm
          title={`Delete ${topic}?`}
          verb="Delete the topic"
          name={topic}
          act={() => deleteTopic(cluster, topic).then(() => openPath(hrefs.topics(cluster)))}
          close={() => setAsking(null)}
        >
          <p>Kafka deletes the topic with its records and settings. This cannot be undone.</p>
          {data !== null && <JobsThatNeedIt topic={data} />}
        </TypedConfirm>
      )}
    </div>
  );
}

interface JobsProps {
  readonly topic: TopicDetails;
  /** Whether the topic stays, without its records. */
  readonly isKept?: boolean;
}

/** The jobs that read or write a topic, before it loses its records. The server deletes no topic of a running job. */
function JobsThatNeedIt({ topic, isKept = false }: JobsProps) {
  const lines = groupUses(topic.uses.filter(({ is_wanted }) => is_wanted));
  if (lines.length === 0) return null;
  const count = new Set(lines.map(({ job }) => job)).size;
  return (
    <>
      <p>
        <b>{formatAmount(count, "running job")}</b> {count === 1 ? "uses" : "use"} this topic.
        {isKept ? " Records that they have not read yet are lost to them." : " The topic stays while one runs."}
      </p>
      <ul className="user-lines" aria-label="Running jobs">
        {lines.map(({ topology, job, name, does }) => (
          <li key={`${topology} ${does}`}>
            <Link href={job === null ? hrefs.editor(topology) : hrefs.job(job)} className="link">
              {name}
            </Link>{" "}
            {does} it
          </li>
        ))}
      </ul>
    </>
  );
}

function Tiles({ topic }: { readonly topic: TopicDetails }) {
  return (
    <dl className="tiles">
      <Tile
        name="Records"
        value={formatCount(topic.records)}
        detail={
          topic.cleanup.includes("compact") ? "offsets held; compaction leaves gaps" : `${formatCount(topic.end)} ever`
        }
      />
      <Tile
        name="Size"
        value={formatBytes(topic.bytes)}
        detail={topic.bytes === null ? "brokers do not say" : "of one copy"}
      />
      <Tile
        name="Partitions"
        value={formatCount(topic.partitions)}
        detail={formatAmount(topic.replication, "replica")}
      />
      <Tile
        name="Kept"
        value={describeRetention(topic)}
        detail={topic.cleanup.join(", ") || "not shown to the cluster's user"}
      />
    </dl>
  );
}
