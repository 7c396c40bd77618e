import { ViewportPortal } from "@xyflow/react";
import { memo } from "react";
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
  const dragged = new Set(nodes.flatMap((node) => (node.dragging === true ? [node.id] : [])));
  const moves = ({ source, target }: FlowEdge) => dragged.has(source) || dragged.has(target);
  return (
    <ViewportPortal>
      <Still nodes={nodes} edges={edges} but={moves} key={[...dragged].join(" ")} isDragging={dragged.size > 0} />
      {dragged.size > 0 && <Wires nodes={nodes} edges={edges.filter(moves)} />}
    </ViewportPortal>
  );
}

interface StillProps extends Props {
  readonly but: (edge: FlowEdge) => boolean;
  readonly isDragging: boolean;
}

/** The wires that do not move: not looked at again while nodes are dragged, so that they are not repainted. */
const Still = memo(
  ({ nodes, edges, but }: StillProps) => <Wires nodes={nodes} edges={edges.filter((edge) => !but(edge))} />,
  (before, after) => before.edges === after.edges && (after.isDragging || before.nodes === after.nodes),
);

function Wires({ nodes, edges }: Props) {
  const paths = farPaths(nodes, edges);
  return (
    <svg className="far-wires" aria-hidden="true" focusable="false">
      {LOOKS.map((look) => (
        <g key={look} className={`wire ${look}`}>
          <path className="line" d={paths.get(look) ?? ""} />
        </g>
      ))}
    </svg>
  );
}
