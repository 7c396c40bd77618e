/** Copies of nodes as text on the system's clipboard: they can be pasted into any topology, in any tab. */
import type { Graph, GraphEdge, GraphNode } from "../api/types";
import { add, connect, type Document, type Edit, type Position } from "./document";
import { freeId } from "./naming";

/** Some nodes, the edges among them, and what is known of their topics. */
export interface Clip {
  readonly streamwright: "nodes";
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly schemas: Document["schemas"];
}

export function clipOf({ graph, schemas }: Document, ids: ReadonlySet<string>): Clip {
  return {
    streamwright: "nodes",
    nodes: graph.nodes.filter(({ id }) => ids.has(id)),
    edges: graph.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
    schemas: Object.fromEntries(Object.entries(schemas).filter(([id]) => ids.has(id))),
  };
}

/** The nodes in a pasted text; null when it holds something else. */
export function clipIn(text: string): Clip | null {
  try {
    const json = JSON.parse(text) as Partial<Clip> | null;
    return json?.streamwright === "nodes" && Array.isArray(json.nodes) && Array.isArray(json.edges)
      ? { streamwright: "nodes", nodes: json.nodes, edges: json.edges, schemas: json.schemas ?? {} }
      : null;
  } catch {
    return null;
  }
}

/** Puts a copy in with free ids, its upper left corner at `at`; tells the ids it got. */
export function paste(clip: Clip, at: Position, into: Graph): { readonly edit: Edit; readonly ids: readonly string[] } {
  const taken = new Set(into.nodes.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { id } of clip.nodes) {
    const free = freeId(id, taken);
    taken.add(free);
    ids.set(id, free);
  }
  const named = (id: string) => ids.get(id) ?? id;
  const corner = cornerOf(clip.nodes);
  const nodes = clip.nodes.map((node) => ({
    ...node,
    id: named(node.id),
    position: { x: at.x + node.position.x - corner.x, y: at.y + node.position.y - corner.y },
  }));
  const edges = clip.edges.map((edge) => ({ ...edge, source: named(edge.source), target: named(edge.target) }));
  const schemas = Object.fromEntries(Object.entries(clip.schemas).map(([id, schema]) => [named(id), schema]));
  const edit: Edit = (document) => {
    const drawn = connect(...edges)(add(...nodes)(document));
    return { ...drawn, schemas: { ...drawn.schemas, ...schemas } };
  };
  return { edit, ids: [...ids.values()] };
}

/** The upper left corner of some nodes. */
export function cornerOf(nodes: readonly GraphNode[]): Position {
  return {
    x: Math.min(...nodes.map(({ position }) => position.x)),
    y: Math.min(...nodes.map(({ position }) => position.y)),
  };
}
