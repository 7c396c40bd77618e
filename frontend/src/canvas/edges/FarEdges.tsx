import { ViewportPortal } from "@xyflow/react";
import { memo } from "react";
import type { EdgeLook } from "../../editor/graph/edges";
import { drawFarPaths } from "./drawFarPaths";
import type { FlowEdge, FlowItem } from "../flow/flow";

interface Props {
  readonly nodes: readonly FlowItem[];
  readonly edges: readonly FlowEdge[];
}

const LOOKS: readonly EdgeLook[] = ["group", "stream", "table", "global"];

/** All edges as seen from very far: one path for each look, instead of hundreds of elements. */
export function FarEdges({ nodes, edges }: Props) {
  const draggedIds = new Set(nodes.flatMap((node) => (node.dragging === true ? [node.id] : [])));
  const moves = ({ source, target }: FlowEdge) => draggedIds.has(source) || draggedIds.has(target);
  return (
    <ViewportPortal>
      <Still nodes={nodes} edges={edges} but={moves} key={[...draggedIds].join(" ")} isDragging={draggedIds.size > 0} />
      {draggedIds.size > 0 && <Edges nodes={nodes} edges={edges.filter(moves)} />}
    </ViewportPortal>
  );
}

interface StillProps extends Props {
  readonly but: (edge: FlowEdge) => boolean;
  readonly isDragging: boolean;
}

/** The edges that do not move. They are not repainted while nodes are dragged. */
const Still = memo(
  ({ nodes, edges, but }: StillProps) => <Edges nodes={nodes} edges={edges.filter((edge) => !but(edge))} />,
  (before, after) => before.edges === after.edges && (after.isDragging || before.nodes === after.nodes),
);

function Edges({ nodes, edges }: Props) {
  const paths = drawFarPaths(nodes, edges);
  return (
    <svg className="far-edges" aria-hidden="true" focusable="false">
      {LOOKS.map((look) => (
        <g key={look} className={`edge ${look}`}>
          <path className="line" d={paths.get(look) ?? ""} />
        </g>
      ))}
    </svg>
  );
}
