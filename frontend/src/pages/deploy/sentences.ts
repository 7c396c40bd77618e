import type { OnState, StateEstimate, Way, Durability, Loss, PartitionSpread, SinkSchema } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";

/** Keeps a choice while it is still valid: other settings may remove its reason. */
export function keepValidChoice(choices: readonly Way[], choice: OnState | null): OnState | null {
  return choices.some(({ on_state }) => on_state === choice) ? choice : null;
}

/** "every topic survives the loss of a broker", "2 of 5 topics depend on a single broker" */
export function describeDurability(topics: readonly Durability[]): string {
  const weak = topics.filter(({ is_durable }) => !is_durable).length;
  if (weak === 0) return "every topic survives the loss of a broker";
  const all = formatAmount(topics.length, "topic");
  return `${weak} of ${all} ${weak === 1 ? "depends" : "depend"} on a single broker`;
}

/** The loss of a partition, and where the job continues after skipping it. Code is in backticks. */
export function describeLoss({ topic, partition, why, read_to, first, goes_on }: Loss): string {
  const more = goes_on > first ? ` and skips ${formatCount(goes_on - first)} more` : "";
  const place = `\`${topic}\`, partition ${partition}`;
  return `${place}: ${describeCause(why, read_to, first)} The job continues at offset ${formatCount(goes_on)}${more}.`;
}

function describeCause(why: Loss["why"], readOffset: number | null, first: number): string {
  if (why === "deleted") return `offsets ${formatCount(readOffset)} to ${formatCount(first - 1)} are gone.`;
  const extent = readOffset === null ? "" : ` The job had read the old one to offset ${formatCount(readOffset)}.`;
  return `the topic was deleted and created again.${extent}`;
}

/** "`orders` has 4 partitions, `customers` 6: the job spreads both over 6 tasks." */
export function describeSpread({ partitions, tasks }: PartitionSpread): string {
  const [first, ...others] = Object.entries(partitions);
  if (first === undefined) return "";
  const each = [`\`${first[0]}\` has ${formatAmount(first[1], "partition")}`];
  each.push(...others.map(([topic, amount]) => `\`${topic}\` ${formatCount(amount)}`));
  const topics = others.length === 1 ? "both" : "all";
  return `${each.join(", ")}: the job spreads ${topics} over ${formatAmount(tasks, "task")}.`;
}

/** "values as a new version of `orders-value`. Level BACKWARD accepts it." Code is in backticks. */
export function describeSchema(schema: SinkSchema): string {
  const { side, record, does, subject, version, id, level, imports, problem, hint } = schema;
  if (problem !== "") return `${problem} ${hint}`.trim();
  const what = record === "" ? `${side}s` : `${side}s of type \`${record}\``;
  if (does === "registers") {
    const files = imports.filter((file) => file.version === null).map((file) => `\`${file.path}\``);
    const first = files.length === 0 ? "" : ` First ${files.join(", then ")}, which it imports.`;
    const verdict = level === "" ? "The registry judges it then." : `Level ${level} accepts it.`;
    return `${what} as a new version of \`${subject}\`.${first} ${verdict}`;
  }
  const place = version === null ? `id ${id}` : `\`${subject}\` version ${version}, id ${id}`;
  return does === "takes" ? `${what} with ${place}.` : `${what}: ${place} is this schema.`;
}

/** JSON with one member a line. Other texts, such as Protobuf, as they are. */
export function formatSchemaText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The records that an estimate of the state is made from, and their rate. Code is in backticks. */
export function describeEstimate(estimate: StateEstimate): string {
  const { records, records_per_day, topics_of_old_records: old } = estimate;
  if (records === 0) return "The topics have no records yet, so nothing can be expected.";
  const amount = formatCount(records_per_day);
  const rate = records_per_day === 0 ? "" : ` At the rate of their times, ${amount} come in a day.`;
  const trial = `From a trial with the newest ${formatAmount(records, "record")} of the topics.`;
  return `${trial}${rate}${describeOld(old)} The time to restore it is for two cores.`;
}

/** The times of old records do not tell how many come, for example when they are read from an archive. */
function describeOld(topics: readonly string[]): string {
  if (topics.length === 0) return "";
  const names = topics.map((topic) => `\`${topic}\``).join(", ");
  const [have, them] = topics.length === 1 ? ["has", "it holds"] : ["have", "they hold"];
  return ` ${names} ${have} no record of the last day, so only the records that ${them} count.`;
}

/** What a deploy of the draft or of a version does: to no job yet, to a running one, to one that is over. */
export function describeDeploy(isFirst: boolean, isOver: boolean, isVersion: boolean): string {
  if (isFirst) return isVersion ? "This version starts as a job." : "Deploying saves a version and starts it as a job.";
  const how = isOver ? "The job starts again" : "The job finishes its batch and continues";
  if (isVersion) return `${how} with this version. The draft stays as it is.`;
  return `Deploying saves a version. ${how} with that version.`;
}
