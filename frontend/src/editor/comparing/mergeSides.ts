/** The changes of one side, in the words of a conflict. */
import type { Graph } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { makeEdgeKey } from "../document/document";
import { areAlike, type Clash } from "./merge";
import { listNotes } from "../edits/notes";
import { areSame } from "../document/areSame";
import { findRenames, renameAll } from "./renames";

/** Node ids by kind of change, and the number of edges added or removed between remaining nodes. */
export interface Side {
  readonly additions: readonly string[];
  readonly removals: readonly string[];
  /** Old and new names. */
  readonly renames: readonly (readonly [string, string])[];
  readonly changes: readonly string[];
  readonly moves: readonly string[];
  readonly edges: number;
  /** The number of notes and frames that were changed, moved, added or removed. */
  readonly notes: number;
}

export function compareWithBase(was: Graph, graph: Graph): Side {
  const renames = findRenames(was, graph);
  const base = renameAll(was, renames);
  const before = new Map(base.nodes.map((node) => [node.id, node]));
  const after = new Map(graph.nodes.map((node) => [node.id, node]));
  const pairs = graph.nodes.flatMap((node) => {
    const was = before.get(node.id);
    return was === undefined ? [] : [{ was, node }];
  });
  const changes = pairs.filter(({ was, node }) => !areAlike(was, node)).map(({ node }) => node.id);
  const moves = pairs.filter(({ was, node }) => !areSame(was.position, node.position)).map(({ node }) => node.id);
  return {
    additions: graph.nodes.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    removals: base.nodes.filter(({ id }) => !after.has(id)).map(({ id }) => id),
    renames: [...renames],
    changes,
    moves: moves.filter((id) => !changes.includes(id)),
    edges: countEdgeChanges(base, graph, new Set(pairs.map(({ node }) => node.id))),
    notes: countNotes(base, graph),
  };
}

/** "added `late`; changed `grouped` and `counts`; changed 1 edge", or "nothing". */
export function describeSide({ additions, removals, renames, changes, moves, edges, notes }: Side): string {
  const parts = [
    listNames("added", additions),
    listNames("removed", removals),
    listNames(
      "renamed",
      renames.map(([from, to]) => `${from}\` to \`${to}`),
    ),
    listNames("changed", changes),
    listNames("moved", moves),
    edges === 0 ? "" : `changed ${formatAmount(edges, "edge")}`,
    notes === 0 ? "" : `changed ${formatAmount(notes, "note")}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "nothing" : parts.join("; ");
}

/** How a merge resolves changes of the same item by both sides. */
export function describeClash(clash: Clash): string {
  if ("remover" in clash) {
    const [who, other] = clash.remover === "me" ? ["You", "they"] : ["They", "you"];
    return `${who} removed \`${clash.node}\`, which ${other} changed: it stays.`;
  }
  const [mine, theirs] = [clash.mine, clash.theirs].map(formatValue);
  return `\`${clash.node}\`: ${clash.field} is yours, \`${mine}\`; theirs is \`${theirs}\`.`;
}

const MAX_NAMED = 6;
const MAX_LENGTH = 80;

function listNames(verb: string, ids: readonly string[]): string {
  if (ids.length === 0) return "";
  const names = ids.slice(0, MAX_NAMED).map((id) => `\`${id}\``);
  const rest = ids.length - names.length;
  return `${verb} ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const words = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll("`", "'");
  return words.length <= MAX_LENGTH ? words : `${words.slice(0, MAX_LENGTH - 1)}…`;
}

function countNotes(base: Graph, graph: Graph): number {
  const byNote = (graph: Graph) => new Map(listNotes(graph).map((note) => [note.id, note]));
  const [before, after] = [byNote(base), byNote(graph)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.filter((id) => !areSame(before.get(id), after.get(id))).length;
}

function countEdgeChanges(base: Graph, graph: Graph, nodeIds: ReadonlySet<string>): number {
  const between = ({ edges }: Graph) =>
    new Set(edges.filter(({ source, target }) => nodeIds.has(source) && nodeIds.has(target)).map(makeEdgeKey));
  const [before, after] = [between(base), between(graph)];
  return [...before, ...after].filter((key) => !before.has(key) || !after.has(key)).length;
}
