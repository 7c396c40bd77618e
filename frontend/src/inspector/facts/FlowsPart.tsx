import type { Port } from "../../api/checkResult";
import type { Graph } from "../../api/types";
import { chooseField } from "../../editor/interface/lineage";
import { LineagePart } from "./LineagePart";
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
  const isSink = Object.keys(node?.outputs ?? {}).length === 0;
  return (
    <details className="part flows-part">
      <summary>Schema</summary>
      {node === undefined && <p className="lead">Not known yet.</p>}
      {Object.entries(node?.inputs ?? {}).map(([port, flow]) => (
        <Flow key={port} title={`In: ${port}`} flow={flow} {...(isSink ? { node: id } : {})} />
      ))}
      {Object.entries(node?.outputs ?? {}).map(([port, flow]) => (
        <Flow key={port} title="Out" flow={flow} node={id} />
      ))}
      <LineagePart id={id} graph={graph} />
    </details>
  );
}

interface FlowProps {
  readonly title: string;
  readonly flow: Port;
  /** The node that these records leave, or that writes them: their fields can be chosen, to see their lineage. */
  readonly node?: string;
}

function Flow({ title, flow, node }: FlowProps) {
  const choose =
    node === undefined
      ? {}
      : {
          onChoose: (part: "key" | "value", path: readonly string[]) => {
            chooseField({ node, part, path });
          },
        };
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="quiet">{flow.type}</span>
      </h3>
      <SchemaView schema={flow.carries} {...choose} />
    </section>
  );
}
