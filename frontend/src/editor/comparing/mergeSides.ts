/** What one side made of a graph, in the words of a conflict. */
import type { Graph } from "../../api/types";
import { countOf } from "../../numbers/format";
import { edgeKey } from "../document/document";
import { alike, type Clash } from "./merge";
import { notesOf } from "../edits/notes";
import { same } from "../document/same";

/** Node ids by what happened to them, and how many edges were drawn or taken away between nodes that stayed. */
export interface Side {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly moved: readonly string[];
  readonly edges: number;
  /** How many notes and frames were written, coloured, moved, drawn or taken away. */
  readonly notes: number;
}

export function sideOf(base: Graph, drawn: Graph): Side {
  const before = new Map(base.nodes.map((node) => [node.id, node]));
  const after = new Map(drawn.nodes.map((node) => [node.id, node]));
  const kept = drawn.nodes.flatMap((node) => {
    const was = before.get(node.id);
    return was === undefined ? [] : [{ was, node }];
  });
  const changed = kept.filter(({ was, node }) => !alike(was, node)).map(({ node }) => node.id);
  const moved = kept.filter(({ was, node }) => !same(was.position, node.position)).map(({ node }) => node.id);
  return {
    added: drawn.nodes.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    removed: base.nodes.filter(({ id }) => !after.has(id)).map(({ id }) => id),
    changed,
    moved: moved.filter((id) => !changed.includes(id)),
    edges: rewire(base, drawn, new Set(kept.map(({ node }) => node.id))),
    notes: countNotes(base, drawn),
  };
}

/** "added `late`; changed `grouped` and `counts`; changed 1 edge", or "nothing". */
export function sideWords({ added, removed, changed, moved, edges, notes }: Side): string {
  const parts = [
    name("added", added),
    name("removed", removed),
    name("changed", changed),
    name("moved", moved),
    edges === 0 ? "" : `changed ${countOf(edges, "edge")}`,
    notes === 0 ? "" : `changed ${countOf(notes, "note")}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "nothing" : parts.join("; ");
}

/** What a merge does where both sides changed the same. */
export function clashWords(clash: Clash): string {
  if ("removedBy" in clash) {
    const [who, other] = clash.removedBy === "me" ? ["You", "they"] : ["They", "you"];
    return `${who} removed \`${clash.node}\`, which ${other} changed: it stays.`;
  }
  return `\`${clash.node}\`: ${clash.field} is yours, \`${text(clash.mine)}\`; theirs is \`${text(clash.theirs)}\`.`;
}

const MAX_NAMED = 6;
const MAX_LENGTH = 80;

function name(verb: string, ids: readonly string[]): string {
  if (ids.length === 0) return "";
  const names = ids.slice(0, MAX_NAMED).map((id) => `\`${id}\``);
  const rest = ids.length - names.length;
  return `${verb} ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const written = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll("`", "'");
  return written.length <= MAX_LENGTH ? written : `${written.slice(0, MAX_LENGTH - 1)}…`;
}

function countNotes(base: Graph, drawn: Graph): number {
  const byNote = (graph: Graph) => new Map(notesOf(graph).map((note) => [note.id, note]));
  const [before, after] = [byNote(base), byNote(drawn)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => !same(before.get(id), after.get(id))).length;
}

function rewire(base: Graph, drawn: Graph, kept: ReadonlySet<string>): number {
  const between = ({ edges }: Graph) =>
    new Set(edges.filter(({ source, target }) => kept.has(source) && kept.has(target)).map(edgeKey));
  const [before, after] = [between(base), between(drawn)];
  return [...before, ...after].filter((key) => !before.has(key) || !after.has(key)).length;
}
