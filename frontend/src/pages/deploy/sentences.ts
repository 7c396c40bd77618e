import type { OnState, Way, Durability, Loss, PartitionSpread, SinkSchema } from "../../api/types";
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
