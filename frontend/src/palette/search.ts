import type { Operator } from "../api/types";

export interface Family {
  readonly name: string;
  readonly operators: readonly Operator[];
}

/** As the DSL groups them; a family nobody ranked comes last. */
const ORDER = ["sources", "stateless", "group and window", "aggregate", "join", "table", "sinks", "code"];

const FIRST = ["stream", "table", "global_table", "to"];

/** What Kafka Streams calls an operator besides its name here: names of older versions, and the classes behind it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  stream: ["KStream", "StreamsBuilder"],
  table: ["KTable"],
  global_table: ["GlobalKTable"],
  split: ["branch", "Branched", "BranchedKStream"],
  process: ["transform", "flatTransform", "Processor"],
  process_values: ["transformValues", "flatTransformValues", "FixedKeyProcessor"],
  repartition: ["through", "Repartitioned"],
  group_by: ["Grouped"],
  group_by_key: ["Grouped"],
  windowed_by: ["TimeWindows", "SessionWindows", "SlidingWindows", "UnlimitedWindows"],
  join: ["JoinWindows", "inner join"],
  suppress: ["Suppressed"],
};

/** `mapValues`, `map_values`, "map values" and "change the value" all find `map_values`; names come before help. */
export function found(operators: readonly Operator[], search: string): readonly Operator[] {
  const words = search.trim().toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return operators;
  const ranked = operators.map((operator) => ({ operator, rank: rankOf(operator, search, words) }));
  return ranked
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ operator }) => operator);
}

export function families(operators: readonly Operator[]): readonly Family[] {
  const names = [...new Set(operators.map(({ family }) => family))];
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return names
    .sort((a, b) => place(a) - place(b))
    .map((name) => ({ name, operators: operators.filter(({ family }) => family === name).sort(byUse) }));
}

/** What most drawings begin or end with comes first; the rest by name. */
function byUse(one: Operator, other: Operator): number {
  const place = ({ name }: Operator) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return place(one) - place(other) || one.name.localeCompare(other.name);
}

/** The first sentence of an operator's help. */
export function inBrief({ help }: Operator): string {
  return help.split(/(?<=\.)\s/)[0] ?? "";
}

function rankOf(operator: Operator, search: string, words: readonly string[]): number {
  const [name, wanted] = [bare(operator.name), bare(search)];
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  const others = (ALSO[operator.name] ?? []).map(bare);
  if (others.includes(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (wanted.length > 2 && others.some((other) => other.startsWith(wanted))) return 2;
  const help = `${operator.name} ${operator.family} ${operator.help}`.toLowerCase();
  if (!words.every((word) => help.includes(word))) return Infinity;
  return words.every((word) => inBrief(operator).toLowerCase().includes(word)) ? 3 : 4;
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}
