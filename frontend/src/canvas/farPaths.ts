import { NODE } from "../editor/adding";
import type { WireLook } from "../graph/wires";
import type { FlowEdge, FlowNode } from "./flow";

/** The wires of each look as one path, from the right of a node to the left of the next. */
export function farPaths(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): ReadonlyMap<WireLook, string> {
  const places = new Map(nodes.map(({ id, position }) => [id, position]));
  const paths = new Map<WireLook, string[]>();
  for (const { source, target, data } of edges) {
    const [from, to] = [places.get(source), places.get(target)];
    if (from === undefined || to === undefined) continue;
    const look = data?.look ?? "stream";
    const path = paths.get(look) ?? [];
    path.push(curve(from.x + NODE.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2));
    paths.set(look, path);
  }
  return new Map([...paths].map(([look, path]) => [look, path.join("")]));
}

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}
