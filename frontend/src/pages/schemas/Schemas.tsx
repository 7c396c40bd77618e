import { useCallback, useMemo, useState } from "react";
import { listClusters, listSubjects } from "../../api/calls";
import { mayHaveRegistry } from "../../api/registry";
import type { Subject } from "../../api/types";
import { useResource } from "../../api/useResource";
import { BackLink } from "../../ui/controls/BackLink";
import "../../ui/controls/controls.css";
import { Search } from "../../ui/controls/Search";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";
import { useTitle } from "../../ui/routing/useTitle";
import { formatAmount, formatCount } from "../../ui/text/format";
import { Skeleton } from "../../ui/display/Skeleton";
import { SubjectPanel } from "./SubjectPanel";
import { describeUses, fits } from "./text";
import "./Schemas.css";

interface Props {
  readonly cluster: string;
  readonly subject: string | null;
}

/** A registry may have ten thousand subjects. The search finds the others. */
const SHOWN = 200;

/** The subjects of a cluster's schema registry: their versions, and who reads and writes them. */
export function Schemas({ cluster, subject }: Props) {
  const { data: clusterData, refusal: clusterRefusal } = useResource(listClusters);
  const hasRegistry = clusterData !== null && mayHaveRegistry(clusterData.clusters, cluster);
  const load = useCallback(async () => (hasRegistry ? listSubjects(cluster) : null), [hasRegistry, cluster]);
  const { data, refusal: listRefusal } = useResource(load);
  const refusal = clusterRefusal ?? listRefusal;
  const [text, setText] = useState("");
  useTitle(subject ?? "Schemas");
  const shown = subject ?? data?.subjects[0]?.name ?? null;
  const matches = useMemo(() => (data?.subjects ?? []).filter((each) => fits(each, text)), [data, text]);
  return (
    <div className="page schemas-page">
      <div className="title">
        <div>
          <BackLink href={hrefs.topics(cluster)}>Topics of {cluster}</BackLink>
          <h1>Schemas</h1>
        </div>
        <div className="controls filter-bar">
          <label className="choice">
            Cluster
            <select value={cluster} onChange={({ target }) => openPath(hrefs.schemas(target.value))}>
              {(clusterData?.clusters.map(({ name }) => name) ?? [cluster]).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <Search label="Search subjects and their users" value={text} change={setText} />
        </div>
      </div>
      {clusterData !== null && !hasRegistry && (
        <Notice tone="info" title={`Cluster \`${cluster}\` has no schema registry.`}>
          <p>
            An administrator names one on the page Clusters, or in <code>SCHEMA_REGISTRY_URL</code> for the local
            cluster. Topologies then read and write Avro, Protobuf and JSON with its schemas, and this page shows who
            uses each.
          </p>
        </Notice>
      )}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {(clusterData === null || hasRegistry) && data === null && refusal === null && <Skeleton />}
      {data !== null && (
        <>
          <p className="quiet">
            {data.is_complete
              ? `${formatAmount(data.subjects.length, "subject")}.`
              : "The registry does not list its subjects. These are the ones that topologies name."}{" "}
            {data.level !== "" && `Default compatibility level: ${data.level}.`}
          </p>
          {data.subjects.length === 0 && (
            <p>
              A producer registers the first schema, or a job does: choose Avro, Protobuf or JSON Schema as the format
              of a <code>to</code>, and deploy.
            </p>
          )}
          <div className="schemas-halves">
            <Subjects cluster={cluster} subjects={matches} hasAny={data.subjects.length > 0} chosen={shown} />
            {shown !== null && <SubjectPanel key={shown} cluster={cluster} subject={shown} />}
          </div>
        </>
      )}
    </div>
  );
}

interface SubjectsProps {
  readonly cluster: string;
  readonly subjects: readonly Subject[];
  /** Whether the registry has a subject at all. */
  readonly hasAny: boolean;
  readonly chosen: string | null;
}

function Subjects({ cluster, subjects, hasAny, chosen }: SubjectsProps) {
  if (subjects.length === 0) return hasAny ? <p className="quiet">No subject matches.</p> : null;
  return (
    <nav aria-label="Subjects">
      <ul className="subjects">
        {subjects.slice(0, SHOWN).map(({ name, uses, breaks }) => (
          <li key={name}>
            <Link href={hrefs.schemas(cluster, name)} aria-current={name === chosen ? "page" : undefined}>
              <span className="mono">{name}</span>
              <small className="quiet">{describeUses(uses)}</small>
              {breaks && <small className="breaks">newest version breaks a reader</small>}
            </Link>
          </li>
        ))}
      </ul>
      {subjects.length > SHOWN && (
        <p className="quiet">{formatCount(subjects.length - SHOWN)} more. Search to find them.</p>
      )}
    </nav>
  );
}
