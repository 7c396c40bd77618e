import type { Port } from "../../api/checkResult";
import type { Graph } from "../../api/types";
import { SchemaView } from "./SchemaView";
import { useFlows } from "./useFlows";
import "./FlowsPart.css";

interface Props {
  readonly id: string;
  readonly graph: Graph;
  readonly isReadOnly: boolean;
}

/** The types at each input and output of a node. */
export function FlowsPart({ id, graph, isReadOnly }: Props) {
  const node = useFlows(graph, isReadOnly)?.[id];
  return (
    <details className="part flows-part">
      <summary>Schema</summary>
      {node === undefined && <p className="lead">Not known yet.</p>}
      {Object.entries(node?.inputs ?? {}).map(([port, flow]) => (
        <Flow key={port} title={`In: ${port}`} flow={flow} />
      ))}
      {Object.entries(node?.outputs ?? {}).map(([port, flow]) => (
        <Flow key={port} title="Out" flow={flow} />
      ))}
    </details>
  );
}

function Flow({ title, flow }: { readonly title: string; readonly flow: Port }) {
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="quiet">{flow.type}</span>
      </h3>
      <SchemaView schema={flow.carries} />
    </section>
  );
}
