import type { SourceNumbers } from "../../live/state";
import { formatAmount, formatMoment } from "./format";

type TransactionWait = Pick<SourceNumbers, "held_up" | "held_by" | "awaits_schema" | "rereads">;

/** Records behind an open transaction. Numbers of an older run do not have it. */
export function countWaiting(sources: readonly TransactionWait[]): number {
  return sources.reduce((sum, { held_up }) => sum + (held_up ?? 0), 0);
}

/** Records that are read again only to build the state. Numbers of an older run do not have it. */
export function countRereads(sources: readonly TransactionWait[]): number {
  return sources.reduce((sum, { rereads }) => sum + (rereads ?? 0), 0);
}

/** "512 records wait behind an open transaction of producer orders-1 since …", or for a schema. Empty if none do. */
export function describeWait(sources: readonly TransactionWait[]): string {
  return [describeRereads(sources), describeSchemaWait(sources), describeTransactionWait(sources)]
    .filter((text) => text !== "")
    .join(". ");
}

function describeRereads(sources: readonly TransactionWait[]): string {
  const amount = countRereads(sources);
  if (amount === 0) return "";
  const subject = `${formatAmount(amount, "record")} ${amount === 1 ? "is" : "are"}`;
  return `${subject} read again only to build the state, because the results are already written`;
}

/** "awaits schema 14", for a place without room for the sentence. Empty if no record waits for a schema. */
export function nameAwaitedSchema(sources: readonly TransactionWait[]): string {
  const awaited = sources.find(({ awaits_schema }) => awaits_schema != null)?.awaits_schema;
  return awaited == null ? "" : `awaits schema ${awaited.id}`;
}

function describeSchemaWait(sources: readonly TransactionWait[]): string {
  const awaited = sources.find(({ awaits_schema }) => awaits_schema != null)?.awaits_schema;
  if (awaited == null) return "";
  const { partitions, id, why, since } = awaited;
  const where = partitions.length === 1 ? `partition ${partitions[0]}` : `partitions ${partitions.join(", ")}`;
  return `Records of ${where} wait for schema ${id} since ${formatMoment(since)}: ${why}`;
}

function describeTransactionWait(sources: readonly TransactionWait[]): string {
  const amount = countWaiting(sources);
  if (amount === 0) return "";
  const holder = sources.find(({ held_by }) => held_by != null)?.held_by;
  const subject = `${formatAmount(amount, "record")} ${amount === 1 ? "waits" : "wait"}`;
  return `${subject} behind an open transaction${describeHolder(holder)}`;
}

/** The producer and its start. A transaction that no coordinator knows never ends by itself. */
function describeHolder(holder: SourceNumbers["held_by"]): string {
  if (holder == null) return "";
  const { transactional_id, producer_id, since } = holder;
  const words = ` of producer ${transactional_id ?? `id ${producer_id}`} since ${formatMoment(since)}`;
  return transactional_id === null ? `${words}; Kafka does not end it by itself` : words;
}
