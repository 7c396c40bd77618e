import { useId, useRef, useState } from "react";
import { Link } from "../../ui/routing/Link";
import { openPath } from "../../ui/routing/usePath";
import { hrefs } from "../../ui/routing/route";
import { useWhyNot } from "../../api/rights";
import type { Topology } from "../../api/types";
import { useDraftGraph } from "../../api/useGraph";
import type { Operators } from "../../api/useOperators";
import { Picture } from "./Picture";
import { formatAmount } from "../../ui/text/format";
import { Ago } from "../../ui/display/Ago";
import { Button } from "../../ui/controls/Button";
import { StatusWord } from "../../ui/display/StatusWord";
import { useVisibility } from "../../ui/browser/useVisibility";
import { makeLoadable } from "../../ui/messages/makeLoadable";
import { ProjectWord } from "./ProjectWord";
import "./Card.css";

const DeployDialog = makeLoadable(() => import("../deploy/DeployDialog").then(({ DeployDialog }) => DeployDialog));

interface Props {
  readonly topology: Topology;
  readonly operators: Operators;
}

/** A topology that never ran: its picture and the next step. */
export function UndeployedCard({ topology, operators }: Props) {
  const heading = useId();
  const card = useRef<HTMLElement>(null);
  const graph = useDraftGraph(topology.id, useVisibility(card));
  const [isAsking, setAsking] = useState(false);
  const why = useWhyNot("operator", topology.project);
  const isEmpty = graph?.nodes.length === 0;

  return (
    <article ref={card} className="card" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>
          <Link href={hrefs.editor(topology.id)}>{topology.name}</Link>
        </h2>
        <StatusWord status={null} />
      </header>
      <div className="graph">{graph !== null && <Picture graph={graph} operators={operators} />}</div>
      <div className="next">
        {isEmpty ? (
          <p>Nothing is drawn yet.</p>
        ) : (
          <>
            <p>{graph === null ? "" : formatAmount(graph.nodes.length, "node")}</p>
            <Button icon="deploy" why={why} onClick={() => setAsking(true)}>
              Deploy
            </Button>
          </>
        )}
      </div>
      <footer>
        <span>
          {topology.newest_version === null ? "Draft" : `Version ${topology.newest_version}`}
          <ProjectWord name={topology.project} />
        </span>
        <span>
          Saved by {topology.updated_by ?? "nobody"} <Ago at={topology.updated_at} />
        </span>
      </footer>
      {isAsking && (
        <DeployDialog
          name={topology.name}
          deployment={{ topology: topology.id }}
          onDeploy={() => openPath(hrefs.editor(topology.id))}
          close={() => setAsking(false)}
        />
      )}
    </article>
  );
}
