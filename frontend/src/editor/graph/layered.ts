/**
 * The place of each node in a small picture: columns by distance, lanes by branch.
 * elk (editor/layout/tidy.ts) arranges the canvas, but is 1.6 MB and answers later.
 * Pictures are drawn with the first frame.
 */

export interface GraphShape {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly source: string; readonly target: string }[];
}

export interface Cell {
  readonly column: number;
  readonly lane: number;
}

// Beside elk, which tidies the canvas: elk is 1.6 MB in a worker and answers later, but a list of pictures must be
// drawn with its first frame.
/** A separate cell for every node, right of the nodes that feed it. Nodes on a cycle are in column 0. */
export function layOut(graph: GraphShape): ReadonlyMap<string, Cell> {
  const columns = findColumns(graph);
  const usedCells = new Set<string>();
  const cells = new Map<string, Cell>();
  for (const id of sortByPlace(columns, graph)) {
    const column = columns.get(id) ?? 0;
    const lane = findFreeLane(usedCells, column, findLaneBefore(graph, cells, id));
    usedCells.add(`${column}:${lane}`);
    cells.set(id, { column, lane });
  }
  return cells;
}

/** From left to right. In a column, nodes that continue a lane come before sources that only join there. */
function sortByPlace(columns: ReadonlyMap<string, number>, graph: GraphShape): string[] {
  const targets = new Set(graph.edges.map((edge) => edge.target));
  const place = (id: string) => 2 * (columns.get(id) ?? 0) + (targets.has(id) ? 0 : 1);
  return [...columns.keys()].sort((a, b) => place(a) - place(b));
}

function findColumns(graph: GraphShape): Map<string, number> {
  const { nodes, edges } = graph;
  const columns = new Map(nodes.map((node) => [node.id, 0]));
  const columnAfter = (id: string) => (columns.get(id) ?? 0) + 1;
  const leadsBack = ({ source, target }: GraphShape["edges"][number]) =>
    columnAfter(source) < nodes.length && (columns.get(target) ?? 0) < columnAfter(source);
  for (let round = 0; round < nodes.length && edges.some(leadsBack); round += 1) {
    for (const edge of edges) if (leadsBack(edge)) columns.set(edge.target, columnAfter(edge.source));
  }
  for (const { id } of nodes) moveSourceRight(columns, graph, id);
  return columns;
}

/** A source goes just before the node that first needs it, not to the far left. */
function moveSourceRight(columns: Map<string, number>, graph: GraphShape, id: string): void {
  if (graph.edges.some((edge) => edge.target === id)) return;
  const targetColumns = graph.edges.filter((edge) => edge.source === id).map((edge) => columns.get(edge.target) ?? 1);
  if (targetColumns.length > 0) columns.set(id, Math.max(0, Math.min(...targetColumns) - 1));
}

function findLaneBefore(graph: GraphShape, cells: ReadonlyMap<string, Cell>, id: string): number {
  const lanes = graph.edges.filter((edge) => edge.target === id).flatMap((edge) => cells.get(edge.source)?.lane ?? []);
  return lanes.length > 0 ? Math.min(...lanes) : 0;
}

function findFreeLane(usedCells: ReadonlySet<string>, column: number, from: number): number {
  let lane = from;
  while (usedCells.has(`${column}:${lane}`)) lane += 1;
  return lane;
}
