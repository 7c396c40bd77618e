import type { GraphNode } from "../../api/types";

/** What holds a node's setting in a text, in a list of rows, in a time span (ms): the first that is set is told. */
const TEXTS = ["topic", "topic_expression", "pattern", "predicate", "key", "items", "values", "value", "by", "message"];
const LISTS = ["topics", "branches", "inputs", "functions", "fields"];
const SPANS = ["size_ms", "within_ms", "wait_ms"];

/** What a node is set to, in one line: its topic, its expression, how many fields it has. */
export function summary({ config }: Pick<GraphNode, "config">): string {
  const text = TEXTS.map((name) => config[name]).find((value) => typeof value === "string" && value !== "");
  if (typeof text === "string") return text;
  const rows = LISTS.map((name) => config[name]).find((value) => Array.isArray(value) && value.length > 0);
  if (Array.isArray(rows)) return names(rows);
  const window = windowWords(config);
  if (window !== "") return window;
  const ms = SPANS.map((name) => config[name]).find((value) => typeof value === "number");
  if (typeof ms === "number") return span(ms);
  return typeof config.store === "string" ? config.store : "";
}

/** "1 min every 30 s": what tells windows of one size apart; "" of tumbling ones, which have a size alone. */
function windowWords(config: GraphNode["config"]): string {
  const { type, size_ms, advance_ms, difference_ms, gap_ms } = config;
  if (type === "calendar") return calendarWords(config);
  if (type === "hopping" && typeof size_ms === "number" && typeof advance_ms === "number") {
    return `${span(size_ms)} every ${span(advance_ms)}`;
  }
  if (type === "sliding" && typeof difference_ms === "number") return `within ${span(difference_ms)}`;
  if (type === "session" && typeof gap_ms === "number") return `gap ${span(gap_ms)}`;
  return "";
}

/** "1 day, UTC", "3 months, Europe/Copenhagen" */
function calendarWords({ unit = "day", count = 1, zone = "UTC" }: GraphNode["config"]): string {
  const units = typeof unit === "string" ? `${unit}${count === 1 ? "" : "s"}` : "";
  return `${String(count)} ${units}, ${String(zone)}`;
}

function names(rows: readonly unknown[]): string {
  const names = rows.map((row) => (typeof row === "string" ? row : (row as { readonly name?: string } | null)?.name));
  return names.map((name) => name ?? "").join(", ");
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
