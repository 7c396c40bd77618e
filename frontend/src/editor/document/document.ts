/**
 * The document: the graph, and the inferred schemas of its sources. Every edit is a function that returns a new one.
 */
import type { Document, Graph, GraphEdge, GraphNode, GraphNote, NodeConfig, RecordSchema } from "../../api/types";

export type { Document };
export type Schemas = Document["schemas"];

export type Edit = (document: Document) => Document;
export type Position = GraphNode["position"];
export type Config = NodeConfig;

export const EMPTY: Document = { graph: { nodes: [], edges: [] }, schemas: {} };

/** The identity of an edge: no two edges join the same ports. */
export function makeEdgeKey(edge: GraphEdge): string {
  return `${edge.source}.${edge.source_port} ${edge.target}.${edge.target_port}`;
}

export const add =
  (...nodes: readonly GraphNode[]): Edit =>
  (document) =>
    draw(document, { nodes: [...document.graph.nodes, ...nodes] });

export const connect =
  (...edges: readonly GraphEdge[]): Edit =>
  (document) => {
    const keys = new Set(document.graph.edges.map(makeEdgeKey));
    const newEdges = edges.filter((edge) => !keys.has(makeEdgeKey(edge)));
    return draw(document, { edges: [...document.graph.edges, ...newEdges] });
  };

export const move =
  (positions: ReadonlyMap<string, Position>): Edit =>
  (document) =>
    draw(document, {
      nodes: document.graph.nodes.map((node) => place(node, positions)),
      ...(document.graph.notes && { notes: document.graph.notes.map((note) => place(note, positions)) }),
    });

function place<Item extends GraphNode | GraphNote>(item: Item, places: ReadonlyMap<string, Position>): Item {
  const to = places.get(item.id);
  if (to === undefined) return item;
  return { ...item, position: { ...item.position, x: Math.round(to.x), y: Math.round(to.y) } };
}

/** Leaves out undefined fields of `config`. */
export const configure =
  (id: string, config: Config): Edit =>
  (document) => {
    const settings = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
    return withNode(document, id, (node) => ({ ...node, config: settings }));
  };

/** Undefined forgets the schema, for example after a change of topic. */
export const learn =
  (id: string, schema: RecordSchema | undefined): Edit =>
  (document) => ({ ...document, schemas: withSchema(document.schemas, id, schema) });

/** Records pass a bypassed node unchanged. Other nodes lack the member, as in the server's JSON. */
export function withBypass({ bypassed: _, ...node }: GraphNode, isBypassed = false): GraphNode {
  return isBypassed ? { ...node, bypassed: isBypassed } : node;
}

export const bypass =
  (ids: ReadonlySet<string>, isBypassed: boolean): Edit =>
  (document) =>
    draw(document, {
      nodes: document.graph.nodes.map((node) => (ids.has(node.id) ? withBypass(node, isBypassed) : node)),
    });

/** A node's id also names its stores, so a rename leaves the old state behind. The deploy says so. */
export const rename =
  (id: string, to: string): Edit =>
  (document) => {
    const renameId = (one: string) => (one === id ? to : one);
    const { [id]: schema, ...others } = document.schemas;
    return {
      graph: {
        ...document.graph,
        nodes: document.graph.nodes.map((node) => ({ ...node, id: renameId(node.id) })),
        edges: document.graph.edges.map((edge) => ({
          ...edge,
          source: renameId(edge.source),
          target: renameId(edge.target),
        })),
      },
      schemas: withSchema(others, to, schema),
    };
  };

/** Removes nodes with their edges, notes, and single edges by their keys. */
export const remove =
  (nodes: ReadonlySet<string>, edges: ReadonlySet<string>): Edit =>
  ({ graph: { notes = [], ...graph }, schemas }) => {
    const others = notes.filter(({ id }) => !nodes.has(id));
    const goes = (edge: GraphEdge) => edges.has(makeEdgeKey(edge)) || nodes.has(edge.source) || nodes.has(edge.target);
    return {
      graph: {
        nodes: graph.nodes.filter(({ id }) => !nodes.has(id)),
        edges: graph.edges.filter((edge) => !goes(edge)),
        ...(others.length > 0 && { notes: others }),
      },
      schemas: Object.fromEntries(Object.entries(schemas).filter(([id]) => !nodes.has(id))),
    };
  };

/** The nodes that a graph has more than the one before an edit. A renamed node, which keeps its place, is none. */
export function listAdded(before: Graph, after: Graph): readonly string[] {
  const isAsBefore = after.nodes.every(({ id }, index) => before.nodes[index]?.id === id);
  if (isAsBefore) return []; // as for each letter that is typed
  const ids = new Set(before.nodes.map(({ id }) => id));
  const places = new Set(before.nodes.map(({ position }) => position));
  return after.nodes.filter(({ id, position }) => !ids.has(id) && !places.has(position)).map(({ id }) => id);
}

export function findNode(document: Document, id: string): GraphNode | undefined {
  return document.graph.nodes.find((node) => node.id === id);
}

function draw(document: Document, part: Partial<Graph>): Document {
  return { ...document, graph: { ...document.graph, ...part } };
}

function withNode(document: Document, id: string, change: (node: GraphNode) => GraphNode): Document {
  return draw(document, { nodes: document.graph.nodes.map((node) => (node.id === id ? change(node) : node)) });
}

function withSchema(schemas: Schemas, id: string, schema: RecordSchema | undefined): Schemas {
  const { [id]: _, ...others } = schemas;
  return schema === undefined ? others : { ...schemas, [id]: schema };
}

/** Joins several edits into one step. */
export const joinEdits =
  (...edits: readonly Edit[]): Edit =>
  (document) =>
    edits.reduce((current, edit) => edit(current), document);
