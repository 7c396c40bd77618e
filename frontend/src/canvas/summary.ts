import type { GraphNode } from "../graph/graph";

/** What a node is set to, in one line: its topic, its expression, how many fields it has. */
export function summary({ config }: Pick<GraphNode, "config">): string {
  const { topic, predicate, key, value, fields, functions, size_ms, store } = config;
  for (const text of [topic, predicate, key, value]) if (typeof text === "string" && text !== "") return text;
  for (const rows of [functions, fields]) if (Array.isArray(rows) && rows.length > 0) return named(rows);
  if (typeof size_ms === "number") return span(size_ms);
  return typeof store === "string" ? store : "";
}

function named(rows: readonly unknown[]): string {
  return rows.map((row) => (row as { readonly name?: string }).name ?? "").join(", ");
}

function span(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1_000, "s"],
  ];
  const unit = units.find(([size]) => ms % size === 0);
  return unit === undefined ? `${ms} ms` : `${ms / unit[0]} ${unit[1]}`;
}
