import { NODE } from "../../editor/layout/places";
import type { EdgeLook } from "../../editor/graph/edges";
import { drawLine } from "../../editor/graph/paths";
import type { FlowEdge, FlowItem, FlowNode } from "../flow/flow";
import type { ShapePort } from "../../editor/layout/shape";

// One path per kind: 500 edges and 1,000 handles cost 12 ms of script and 10 ms of paint a frame, and no port can be
// hit at that zoom.
/** The edges of each look as one path, from the right of a node to the left of the next. */
export function drawFarPaths(nodes: readonly FlowItem[], edges: readonly FlowEdge[]): ReadonlyMap<EdgeLook, string> {
  const nodesById = new Map(nodes.flatMap((node) => (node.type === "operator" ? [[node.id, node]] : [])));
  const paths = new Map<EdgeLook, string[]>();
  for (const { source, sourceHandle, target, targetHandle, data } of edges) {
    const [from, to] = [nodesById.get(source), nodesById.get(target)];
    if (from === undefined || to === undefined) continue;
    const look = data?.look ?? "stream";
    const path = paths.get(look) ?? [];
    const y1 = findPortTop(from, from.data.shape.outputs, sourceHandle);
    const y2 = findPortTop(to, to.data.shape.inputs, targetHandle);
    const ends = { x1: from.position.x + NODE.width, y1, x2: to.position.x, y2 };
    path.push(drawLine(ends, data?.lane ?? null).d);
    paths.set(look, path);
  }
  return new Map([...paths].map(([look, path]) => [look, path.join("")]));
}

/** The distance of a port from the top of the graph. */
function findPortTop(
  { position, data }: FlowNode,
  ports: readonly ShapePort[],
  name: string | null | undefined,
): number {
  return position.y + data.shape.height * (ports.find((port) => port.name === name)?.at ?? 0.5);
}
