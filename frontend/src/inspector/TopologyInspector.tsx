import { useDocument, useInterfaceActions } from "../editor/interface/useEditor";
import type { Graph } from "../api/types";
import { useLive } from "../live/LiveContext";
import { formatCount } from "../ui/text/format";
import { useDeployment } from "../editor/interface/useDeployment";
import { StatusWord } from "../ui/display/StatusWord";
import { ClusterChoice } from "./ClusterChoice";

interface Props {
  readonly graph: Graph;
  readonly isReadOnly: boolean;
}

/** The whole topology, and the next step. */
export function TopologyInspector({ graph, isReadOnly }: Props) {
  const { topology } = useDeployment();
  return (
    <>
      <header className="part">
        <h2 className="title">{topology.name}</h2>
        <p className="lead">
          {isReadOnly ? "Deployed version. Select a node to see its settings." : describeNextStep(graph)}
        </p>
        {!isReadOnly && (
          <ul className="steps">
            <li>Drag an operator from the left onto the canvas.</li>
            <li>Drag from the right side of a node to the left side of the next one.</li>
            <li>Select an edge to see what flows on it.</li>
          </ul>
        )}
      </header>
      <Facts graph={graph} isReadOnly={isReadOnly} />
    </>
  );
}

function Facts({ graph, isReadOnly }: Props) {
  const { job } = useDeployment();
  const { openDrawer } = useInterfaceActions();
  const issues = useDocument((editor) => editor.issues?.length ?? null);
  const status = useLive(({ state }) => state?.jobStatus.status ?? null);
  return (
    <section className="part" aria-label="Topology">
      <dl className="facts number">
        <dt>Nodes</dt>
        <dd>{formatCount(graph.nodes.length)}</dd>
        <dt>Edges</dt>
        <dd>{formatCount(graph.edges.length)}</dd>
        {!isReadOnly && (
          <>
            <dt>Problems</dt>
            <dd>
              {issues ? (
                <button type="button" className="link" onClick={() => openDrawer("problems")}>
                  {formatCount(issues)}
                </button>
              ) : (
                formatCount(issues)
              )}
            </dd>
          </>
        )}
        <dt>Job</dt>
        <dd>
          <StatusWord status={status ?? job?.status ?? null} />
        </dd>
        {job !== null && (
          <>
            <dt>Deployed</dt>
            <dd>version {job.version_number}</dd>
          </>
        )}
        <dt>Cluster</dt>
        <dd>{isReadOnly && job !== null ? job.cluster : <ClusterChoice />}</dd>
      </dl>
    </section>
  );
}

function describeNextStep(graph: Graph): string {
  return graph.nodes.length === 0 ? "Start with a source: it reads a topic." : "Select a node to set it up.";
}
