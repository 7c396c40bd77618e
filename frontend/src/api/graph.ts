/** A topology as plain data, as designer/graph.py writes it. */

export interface GraphNode {
  readonly id: string;
  readonly operator: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly position: { readonly x: number; readonly y: number };
}

export interface GraphEdge {
  readonly source: string;
  readonly source_port: string;
  readonly target: string;
  readonly target_port: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The graph in an answer of the API, which holds none that was not checked when it was saved. */
export function graphOf(json: Readonly<Record<string, unknown>>): Graph {
  return json as unknown as Graph;
}
