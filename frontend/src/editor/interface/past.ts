/** The kept batch that the canvas, its tables and its records show. */
import { create } from "zustand";
import { lookAtBatch } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { BatchHits, GraphEdge, GraphNode, KeptBatch, KeptBatches, PastBatch, PastCounts } from "../../api/types";
import { findTopics } from "../graph/topics";
import { formatAmount, formatCount } from "../../ui/text/format";
import { formatRecordTime } from "../../ui/text/content";

interface Past {
  /** Null: none is chosen yet. */
  readonly batch: KeptBatch | null;
  /** What nodes did in it. Null until known, or if it cannot be executed again. */
  readonly looked: PastBatch | null;
}

export const usePast = create<Past>()(() => ({ batch: null, looked: null }));

export function chooseBatch(batch: KeptBatch | null): void {
  if (batch?.number !== usePast.getState().batch?.number) usePast.setState({ batch, looked: null });
}

/** Shows a batch by its number. Returns why it cannot be shown, for example because it is no longer kept, or null. */
export async function openBatch(job: number, number: number): Promise<Refusal | null> {
  try {
    chooseBatch(await lookAtBatch(job, number, {}));
    return null;
  } catch (error) {
    return toRefusal(error);
  }
}

export function showLooked(looked: PastBatch): void {
  if (usePast.getState().batch?.number === looked.number) usePast.setState({ looked });
}

/** "Batch 1,234 of 2026-11-28 14:03:22.120: 5 records, version 3." */
export function describeBatch({ number, time, records, failed, version }: KeptBatch): string {
  const failures = failed === 0 ? "" : `, ${formatCount(failed)} failed`;
  const what = `${formatAmount(records, "record")}${failures}, version ${version}.`;
  return `Batch ${formatCount(number)} of ${formatRecordTime(time)}: ${what}`;
}

export function describeMoment({ batch }: Past): string {
  return batch === null ? "The past, read only." : `Batch ${formatCount(batch.number)}, read only.`;
}

/** The part of the kept batches that cannot be opened, and the part of which only tables open, both from 0 to 1. */
export function findEnds({ batches, tables_since, records_since }: KeptBatches): {
  readonly gone: number;
  readonly tablesOnly: number;
} {
  const share = (since: number | null) => {
    if (since === null || batches.length === 0) return 1;
    const at = batches.findIndex(({ time }) => time >= since);
    return at < 0 ? 1 : at / Math.max(1, batches.length - 1);
  };
  return { gone: share(tables_since), tablesOnly: share(records_since) };
}

/** Both ends of the kept past in words. */
export function describeEnds({ tables_since, records_since, batches, count }: KeptBatches): string {
  if (batches.length === 0) return "No batch is kept in this time.";
  const chosen = count > batches.length ? `${formatCount(batches.length)} of ` : "";
  const amount = `${chosen}${formatAmount(count, "kept batch", "kept batches")}.`;
  if (tables_since === null) return `${amount} The state before them is no longer kept.`;
  const state = `Tables open since ${formatRecordTime(tables_since)}`;
  if (records_since === null) return `${amount} ${state}. Kafka no longer has the records of any of them.`;
  if (records_since === tables_since) return `${amount} ${state}, and Kafka has all records since then.`;
  return `${amount} ${state}, and Kafka has all records since ${formatRecordTime(records_since)}.`;
}

/** Whether nodes and edges of a batch can be shown: its state is kept, and Kafka still has its records. */
export function canRepeat({ records_since }: KeptBatches, { time }: KeptBatch): boolean {
  return records_since !== null && time >= records_since;
}

/** The batches around one, for a closer look. */
export function zoomIn({ batches }: KeptBatches, at: number): { readonly since: number; readonly until: number } {
  const [first, last] = [batches[Math.max(0, at - 2)], batches[Math.min(batches.length - 1, at + 2)]];
  return { since: first?.time ?? 0, until: last?.time ?? 0 };
}

/** "3 hits in 12 batches, back to 2026-11-28 14:03:22.120." */
export function describeSearch({ hits, count, searched, since, older, failed }: BatchHits): string {
  const batches = formatAmount(searched, "batch", "batches");
  const end = since === null ? "" : `, back to ${formatRecordTime(since)}`;
  const isOver = older === null ? " No earlier batch can be searched." : "";
  const failures = failed === 0 ? "" : ` It could not be computed for ${formatAmount(failed, "record")}.`;
  const some = count > hits.length ? `The newest ${formatCount(hits.length)} of ` : "";
  return `${some}${formatAmount(count, "hit")} in ${batches}${end}.${isOver}${failures}`;
}

export function describeCounts(counts: PastCounts): string {
  const drops = Object.entries(counts.dropped_by).map(([reason, count]) => `${formatCount(count)} dropped: ${reason}.`);
  const silent = counts.no_result > 0 ? [`${formatCount(counts.no_result)} without a result.`] : [];
  return [`${formatCount(counts.in)} in, ${formatCount(counts.out)} out in this batch.`, ...drops, ...silent].join(" ");
}

/** What a batch left in the topics of a source for later ones. Null: not known. */
export function countUnread(unread: Readonly<Record<string, number>> | null, node: GraphNode): number | null {
  if (unread === null) return null;
  return findTopics(node, Object.keys(unread)).reduce((sum, topic) => sum + (unread[topic] ?? 0), 0);
}

interface Place {
  readonly node: string;
  readonly port: string;
}

/** The port whose records a selection means: that of an edge, or of the way into or out of a node. */
export function findPlace(edges: readonly GraphEdge[], node: string | null, edge: GraphEdge | undefined): Place | null {
  const chosen =
    edge ?? edges.find(({ source }) => source === node) ?? edges.find(({ target }) => target === node) ?? null;
  return chosen === null ? null : { node: chosen.source, port: chosen.source_port };
}
