/** The requests and words of the Trial tab. */
import type { FeedRecord } from "../../api/feed";
import type { Graph, Trial, TrialResult } from "../../api/types";
import { makeEdgeKey } from "../../editor/document/document";
import type { Selection } from "../../editor/interface/interfaceStore";
import { formatAmount, formatCount } from "../../ui/text/format";
import { parseMembers, readText } from "../../ui/text/json";

/** The output in view. */
export interface Place {
  readonly node: string;
  readonly port: string;
}

/**
 * The selected output: the edge's, or the first of the node. A node without outputs means
 * the one that feeds it. Null if nothing or too much is selected.
 */
export function findPlace(
  graph: Graph,
  selection: Selection,
  portsOf: (node: string) => readonly string[],
): Place | null {
  const [node, ...nodes] = selection.nodes;
  const [key, ...edges] = selection.edges;
  if (nodes.length + edges.length > 0 || (node === undefined) === (key === undefined)) return null;
  const port = node === undefined ? undefined : portsOf(node)[0];
  if (node !== undefined && port !== undefined) return { node, port };
  const edge = graph.edges.find((each) => (node === undefined ? makeEdgeKey(each) === key : each.target === node));
  return edge === undefined ? null : { node: edge.source, port: edge.source_port };
}

/** "the newest 100 of 431 records; tried on the newest 200 of flights, 16 of airlines". */
export function describeResult(
  { read, outputs }: Pick<Trial, "read" | "outputs">,
  port: string,
  isOwn: boolean,
): string {
  const { count: all, records } = outputs[port] ?? { count: 0, records: [] };
  const total = formatAmount(all, "record");
  const topics = Object.entries(read).map(([topic, number]) => `${formatCount(number)} of ${topic}`);
  const subject = records.length < all ? `the newest ${formatCount(records.length)} of ${total}` : total;
  return `${subject}; tried on ${isOwn ? "your" : "the newest"} ${topics.join(", ") || "records, none gets here"}`;
}

/** "counted: late 2; departed: null key 1". Empty if nothing was dropped. */
export function describeDrops(drops: Trial["dropped"]): string {
  const nodes = Object.entries(drops).map(([node, reasons]) => {
    const words = Object.entries(reasons).map(([reason, amount]) => `${reason} ${formatCount(amount)}`);
    return `\`${node}\`: ${words.join(", ")}`;
  });
  return nodes.join("; ");
}

/** Failed records by node and reason, so that each sentence appears once. */
export function groupFailures(failures: Trial["failed"]): readonly Trial["failed"][] {
  const groups = new Map<string, Trial["failed"]>();
  for (const one of failures) {
    const why = `${one.node}: ${one.message}`;
    groups.set(why, [...(groups.get(why) ?? []), one]);
  }
  return [...groups.values()];
}

/** Records as lines of JSON, oldest first, with numbers spelled as they are. Leaves out cut records. */
export function writeLines(records: readonly TrialResult[]): string {
  const lines = records
    .filter(({ key_length, value_length }) => key_length === null && value_length === null)
    .toSorted((one, other) => one.timestamp - other.timestamp)
    .map(
      ({ key, value, timestamp, origin }) =>
        `{"topic": ${JSON.stringify(origin.topic)}, "key": ${key}, "value": ${value}, "timestamp": ${timestamp}}`,
    );
  return lines.map((line) => `${line}\n`).join("");
}

/** The user's own record on a line, as a topic would hold it. Lines count from 0 without blank ones. */
export function readOwnRecord(lines: string, number: number): FeedRecord | null {
  const line = lines.split("\n").filter((each) => each.trim() !== "")[number];
  if (line === undefined) return null;
  const members = parseMembers(line);
  const [key, value] = [members.get("key"), members.get("value")].map((json) => readText(json));
  const whole = { is_key_cut: false, is_value_cut: false, key_bytes: null, value_bytes: null, headers_left_out: 0 };
  const place = { partition: 0, offset: number, timestamp: Number(members.get("timestamp") ?? 0), headers: [] };
  return { ...whole, ...place, key: key ?? null, value: value ?? null, is_key_base64: false, is_value_base64: false };
}
