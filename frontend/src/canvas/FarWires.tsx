import { ViewportPortal } from "@xyflow/react";
import type { WireLook } from "../graph/wires";
import { farPaths } from "./farPaths";
import type { FlowEdge, FlowNode } from "./flow";

interface Props {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

const LOOKS: readonly WireLook[] = ["grouped", "stream", "table", "global"];

/** All wires as seen from very far: one path for each look, in place of hundreds of elements. */
export function FarWires({ nodes, edges }: Props) {
  const paths = farPaths(nodes, edges);
  return (
    <ViewportPortal>
      <svg className="far-wires" aria-hidden="true" focusable="false">
        {LOOKS.map((look) => (
          <g key={look} className={`wire ${look}`}>
            <path className="line" d={paths.get(look) ?? ""} />
          </g>
        ))}
      </svg>
    </ViewportPortal>
  );
}
