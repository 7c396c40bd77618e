/** A version on the canvas, alone or compared with another graph. */
import type { Differences, Graph } from "../../api/types";
import { findFreePlace } from "../layout/places";
import { makeEdgeKey } from "../document/document";
import { listNotes, withNotes } from "../edits/notes";
import type { VersionView } from "../interface/interfaceStore";

export type DifferenceKind = "Added" | "Changed" | "Removed";

/** The kind of change of each node, note and edge that differs, by its id or key. */
export function findDifferenceKinds(differences: Differences | null): ReadonlyMap<string, DifferenceKind> {
  if (differences === null) return new Map();
  const { added, removed, changed, edges_added, edges_removed, notes } = differences;
  const noteDifference = (note: (typeof notes)[number]): DifferenceKind =>
    note.before === null ? "Added" : note.after === null ? "Removed" : "Changed";
  return new Map<string, DifferenceKind>([
    ...added.map(({ id }) => [id, "Added"] as const),
    ...removed.map(({ id }) => [id, "Removed"] as const),
    ...changed.map(({ node }) => [node, "Changed"] as const),
    ...edges_added.map((edge) => [makeEdgeKey(edge), "Added"] as const),
    ...edges_removed.map((edge) => [makeEdgeKey(edge), "Removed"] as const),
    ...notes.map((note) => [note.note, noteDifference(note)] as const),
  ]);
}

/** The later graph plus its removed items: nodes at their old places, or at the first free place below. */
export function withRemovals({ graph, differences }: Pick<VersionView, "graph" | "differences">): Graph {
  if (differences === null) return graph;
  const nodes = [...graph.nodes];
  for (const node of differences.removed) nodes.push({ ...node, position: findFreePlace(node.position, nodes) });
  const removals = differences.notes.flatMap(({ before, after }) => (before && after === null ? [before] : []));
  const edges = [...graph.edges, ...differences.edges_removed];
  return withNotes({ ...graph, nodes, edges }, [...listNotes(graph), ...removals]);
}

/** "Version 3" or "the draft", with a capital letter at the beginning of a sentence. */
export function nameVersion(version: string, isFirst = false): string {
  if (version === "draft") return isFirst ? "The draft" : "the draft";
  return `${isFirst ? "Version" : "version"} ${version}`;
}

/** "2 added, 1 changed": nodes, notes and edges together. */
export function countDifferences(kinds: ReadonlyMap<string, DifferenceKind>): string {
  const counts = (["Added", "Changed", "Removed"] as const).map(
    (kind) => [kind, [...kinds.values()].filter((one) => one === kind).length] as const,
  );
  const words = counts.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind.toLowerCase()}`);
  return words.length === 0 ? "no difference" : words.join(", ");
}
