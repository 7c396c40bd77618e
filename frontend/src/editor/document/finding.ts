/** Finds nodes by name and operator, and text in their settings. */
import type { Graph } from "../../api/types";

export interface Place {
  readonly node: string;
  /** The dotted path of the setting, or null for the node itself. */
  readonly field: string | null;
  /** The found text. */
  readonly text: string;
}

/** Nodes whose names begin with the search come first, then other nodes, then settings. */
export function findPlaces({ nodes }: Graph, search: string): readonly Place[] {
  const query = search.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(query);
  const matches = nodes.filter(({ id, operator }) => has(id) || has(operator));
  const first = (id: string) => (id.toLowerCase().startsWith(query) ? 0 : 1);
  const byName = matches.map(({ id, operator }): Place => ({ node: id, field: null, text: operator }));
  const settings = nodes.flatMap(({ id, config }) =>
    listTexts(config, "").flatMap(([field, text]): Place[] => (has(text) ? [{ node: id, field, text }] : [])),
  );
  return [...byName.sort((a, b) => first(a.node) - first(b.node)), ...(query === "" ? [] : settings)];
}

function listTexts(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => listTexts(inner, path === "" ? name : `${path}.${name}`));
}
