/** Merges two graphs with a common base: by node, by field of a node's config, by edge. */
import type { Graph, GraphEdge, GraphNode, GraphNote } from "../../api/types";
import { takesMany, type Operators } from "../graph/ports";
import { withBypass, makeEdgeKey, type Document, type Schemas } from "../document/document";
import { findTitle, listNotes, withColour, withNotes } from "../edits/notes";
import { areSame } from "../document/areSame";
import { findRenames, listIds, renameAll, type Renames } from "./renames";

/** Both sides changed the same. In a field (of a config, `operator`, `name`, or a port) mine wins. A removal loses. */
export type Clash =
  | { readonly node: string; readonly field: string; readonly mine: unknown; readonly theirs: unknown }
  | { readonly node: string; readonly remover: "me" | "them" };

export interface MergeResult {
  readonly graph: Graph;
  readonly clashes: readonly Clash[];
}

const NOTHING: Graph = { nodes: [], edges: [] };

/** Merges both changes of `base`. Without a base, everything of either side stays. */
export function merge(base: Graph | null, mine: Graph, theirs: Graph, operators: Operators): MergeResult {
  const clashes: Clash[] = [];
  const named = nameAlike(base ?? NOTHING, mine, theirs, clashes);
  const began = renameAll(base ?? NOTHING, named.base);
  const [here, there] = [renameAll(mine, named.mine), renameAll(theirs, named.theirs)];
  const renamed = new Set(named.base.values());
  const nodes = mergeNodes(mapById(began), mapById(here), mapById(there), renamed, clashes);
  const edges = mergeEdges(began, here, there, nodes, clashes);
  const portEdges = keepOnePerPort({ nodes, edges }, operators, clashes);
  const notes = mergeNotes(began, here, there, clashes);
  return { graph: withNotes({ nodes, edges: portEdges }, notes), clashes };
}

/** The merged document, with the schemas of its sources. */
export function mergeDocuments(base: Graph | null, mine: Document, theirs: Document, operators: Operators): Document {
  const { graph } = merge(base, mine.graph, theirs.graph, operators);
  const named = nameAlike(base ?? NOTHING, mine.graph, theirs.graph, []);
  const [here, there] = [renameDocument(mine, named.mine), renameDocument(theirs, named.theirs)];
  return { graph, schemas: mergeSchemas(graph, here, there) };
}

/** How the nodes of a graph are called after the merge, where it calls them by another name. */
interface Names {
  readonly base: Renames;
  readonly mine: Renames;
  readonly theirs: Renames;
}

/** Gives each node that a side renamed the same name in all three, so that they merge as one node. */
function nameAlike(base: Graph, mine: Graph, theirs: Graph, clashes: Clash[]): Names {
  const [here, there] = [findRenames(base, mine), findRenames(base, theirs)];
  const names = new Map<string, string>();
  const ofMine = new Map<string, string>();
  const ofTheirs = new Map<string, string>();
  const [mineIds, theirIds] = [listIds(mine), listIds(theirs)];
  for (const id of new Set([...here.keys(), ...there.keys()])) {
    const [one, other] = [here.get(id), there.get(id)];
    const name = one ?? other;
    if (name === undefined) continue;
    const isTaken =
      one !== other && ((one !== undefined && theirIds.has(one)) || (other !== undefined && mineIds.has(other)));
    if (isTaken) continue; // by another node: these two stay as they are
    if (one !== undefined && other !== undefined && one !== other) {
      clashes.push({ node: name, field: "name", mine: one, theirs: other });
    }
    names.set(id, name);
    if (one === undefined) ofMine.set(id, name);
    if (other !== name) ofTheirs.set(other ?? id, name);
  }
  return { base: names, mine: ofMine, theirs: ofTheirs };
}

function renameDocument({ graph, schemas }: Document, renames: Renames): Document {
  const named = Object.entries(schemas).map(([id, schema]) => [renames.get(id) ?? id, schema] as const);
  return { graph: renameAll(graph, renames), schemas: Object.fromEntries(named) };
}

/** The schema of a source belongs to its topic: mine if the merged node still reads my topic. */
function mergeSchemas(graph: Graph, mine: Document, theirs: Document): Schemas {
  const mineById = mapById(mine.graph);
  return Object.fromEntries(
    graph.nodes.flatMap((node) => {
      const isMine = mineById.get(node.id)?.config.topic === node.config.topic;
      const schema = (isMine ? mine.schemas[node.id] : undefined) ?? theirs.schemas[node.id];
      return schema === undefined ? [] : [[node.id, schema]];
    }),
  );
}

/** Whether a node does the same in both, at any place. */
export function areAlike(one: GraphNode, other: GraphNode): boolean {
  return one.operator === other.operator && one.bypassed === other.bypassed && areSame(one.config, other.config);
}

type Nodes = ReadonlyMap<string, GraphNode>;

function mapById(graph: Graph): Nodes {
  return new Map(graph.nodes.map((node) => [node.id, node]));
}

function mergeNodes(
  base: Nodes,
  mine: Nodes,
  theirs: Nodes,
  renamed: ReadonlySet<string>,
  clashes: Clash[],
): GraphNode[] {
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((id) => {
    const [was, here, there] = [base.get(id), mine.get(id), theirs.get(id)];
    if (here && there) return [mergeNode(was, here, there, clashes)];
    const survivor = here ?? there;
    if (survivor === undefined) return [];
    if (was === undefined) return [survivor];
    if (areAlike(was, survivor) && !renamed.has(id)) return [];
    clashes.push({ node: id, remover: here === undefined ? "me" : "them" });
    return [survivor];
  });
}

function mergeNode(was: GraphNode | undefined, mine: GraphNode, theirs: GraphNode, clashes: Clash[]): GraphNode {
  if (was === theirs) return mine;
  if (was === mine) return theirs;
  const position = was !== undefined && areSame(was.position, mine.position) ? theirs.position : mine.position;
  const isBypassed = was?.bypassed === mine.bypassed ? theirs.bypassed : mine.bypassed;
  const colour = (was?.colour === mine.colour ? theirs.colour : mine.colour) ?? null;
  if (mine.operator !== theirs.operator) {
    return withColour({ ...chooseOne(was, mine, theirs, clashes), position }, colour);
  }
  const fields = [...new Set([...Object.keys(mine.config), ...Object.keys(theirs.config)])];
  const config = fields.flatMap((field) => {
    const [before, here, there] = [was?.config[field], mine.config[field], theirs.config[field]];
    const value = areSame(before, here) ? there : here;
    if (!areSame(before, here) && !areSame(before, there) && !areSame(here, there)) {
      clashes.push({ node: mine.id, field, mine: here, theirs: there });
    }
    return value === undefined ? [] : [[field, value] as const];
  });
  return withColour(withBypass({ ...mine, config: Object.fromEntries(config), position }, isBypassed), colour);
}

/** Merges notes by field. A note that one side removed stays only if the other changed it. */
function mergeNotes(base: Graph, mine: Graph, theirs: Graph, clashes: Clash[]): GraphNote[] {
  const byNote = (graph: Graph) => new Map(listNotes(graph).map((note) => [note.id, note]));
  const [before, here, there] = [byNote(base), byNote(mine), byNote(theirs)];
  return [...new Set([...here.keys(), ...there.keys()])].flatMap((id) => {
    const [was, one, other] = [before.get(id), here.get(id), there.get(id)];
    if (one && other) return [mergeNote(was, one, other, clashes)];
    const survivor = one ?? other;
    if (survivor === undefined || was === undefined) return survivor ?? [];
    if (survivor.text === was.text) return [];
    clashes.push({ node: findTitle(survivor), remover: one === undefined ? "me" : "them" });
    return [survivor];
  });
}

function mergeNote(was: GraphNote | undefined, mine: GraphNote, theirs: GraphNote, clashes: Clash[]): GraphNote {
  const position = was !== undefined && areSame(was.position, mine.position) ? theirs.position : mine.position;
  const colour = (was?.colour === mine.colour ? theirs.colour : mine.colour) ?? null;
  const text = was?.text === mine.text ? theirs.text : mine.text;
  if (text !== theirs.text && theirs.text !== was?.text) {
    clashes.push({ node: findTitle(mine), field: "text", mine: mine.text, theirs: theirs.text });
  }
  return withColour({ ...mine, position, text }, colour);
}

/** The fields of two nodes that share only their id cannot be mixed. */
function chooseOne(was: GraphNode | undefined, mine: GraphNode, theirs: GraphNode, clashes: Clash[]): GraphNode {
  if (was !== undefined && areAlike(was, mine)) return theirs;
  if (was === undefined || !areAlike(was, theirs)) {
    clashes.push({ node: mine.id, field: "operator", mine: mine.operator, theirs: theirs.operator });
  }
  return mine;
}

function mergeEdges(
  base: Graph,
  mine: Graph,
  theirs: Graph,
  nodes: readonly GraphNode[],
  clashes: readonly Clash[],
): GraphEdge[] {
  const [began, here, there] = [base, mine, theirs].map((graph) => new Set(graph.edges.map(makeEdgeKey)));
  const ids = new Set(nodes.map(({ id }) => id));
  const back = new Set(clashes.flatMap((clash) => ("remover" in clash ? [clash.node] : [])));
  const stays = (edge: GraphEdge) => {
    const key = makeEdgeKey(edge);
    if (!ids.has(edge.source) || !ids.has(edge.target)) return false;
    if ((here?.has(key) && there?.has(key)) || !began?.has(key)) return true;
    return back.has(edge.source) || back.has(edge.target);
  };
  const all = new Map([...mine.edges, ...theirs.edges].map((edge) => [makeEdgeKey(edge), edge]));
  return [...all.values()].filter(stays);
}

/** Most ports take one edge. Mine come first. */
function keepOnePerPort(graph: Graph, operators: Operators, clashes: Clash[]): readonly GraphEdge[] {
  const edgesByPort = new Map<string, GraphEdge>();
  return graph.edges.filter((edge) => {
    const port = `${edge.target}.${edge.target_port}`;
    const other = edgesByPort.get(port);
    if (other === undefined) edgesByPort.set(port, edge);
    else if (!takesMany(edge, graph, operators)) {
      clashes.push({ node: edge.target, field: edge.target_port, mine: other.source, theirs: edge.source });
      return false;
    }
    return true;
  });
}
