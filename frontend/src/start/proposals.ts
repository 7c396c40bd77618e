/** First steps with a topic: small whole drawings, made from what its newest records show. */
import { add, connect, learn, together, type Edit } from "../editor/document";
import { freeId, slug } from "../editor/naming";
import type { GraphEdge, GraphNode } from "../api/types";
import { inputsOf, outputsOf, type Operators } from "../graph/ports";
import { categoryOf, fieldsOf, keyField, measureOf, named, threshold, type SampledRecord, type Shape } from "./fields";

export interface Sampled {
  readonly topic: { readonly name: string };
  readonly messages: readonly SampledRecord[];
  readonly inferred: Readonly<Record<string, unknown>>;
}

export interface Proposal {
  readonly title: string;
  /** What it draws, in the names of its operators. */
  readonly path: string;
  readonly edit: Edit;
}

/** What can be drawn from a topic: to count it, to keep some of it, to look something up; always, only to read it. */
export function proposalsFor(sample: Sampled, topics: readonly string[], operators: Operators): Proposal[] {
  const shape = shapeOf(sample);
  const fields = fieldsOf(shape, sample.messages);
  const keys = sample.messages.map(({ key }) => key);
  const measure = measureOf(fields);
  const category = categoryOf(fields, keys);
  const steps = [
    keys.some((key) => key !== null) ? countPerKey(sample, topics, operators) : null,
    measure === null ? null : keepOnly(sample, topics, operators, measure.name, threshold(measure.values)),
    category === null ? null : countPer(sample, topics, operators, category.name),
  ];
  return steps.filter((step) => step !== null);
}

/** A look-up of `table`'s rows by the field that names them; null where the records have no such field. */
export function lookUp(
  sample: Sampled,
  table: Sampled,
  topics: readonly string[],
  operators: Operators,
): Proposal | null {
  const by = keyField(shapeOf(table), table.messages);
  const fields = shapeOf(sample).value.type.fields ?? [];
  if (by === null || !fields.some(({ name, type }) => name === by && type.kind === "string")) return null;
  const taken = new Set(fields.map(({ name }) => name));
  const other = table.topic.name;
  const found = (shapeOf(table).value.type.fields ?? []).filter(({ name }) => name !== by).slice(0, MAX_FIELDS);
  const config = {
    key: named(by),
    fields: found.map(({ name }) => ({
      name: taken.has(name) ? `${slug(other).replaceAll("-", "_")}_${name}` : name,
      expression: /^[a-z_][a-z0-9_]*$/i.test(name) ? `right.${name}` : `right.\`${name}\``,
    })),
  };
  const links = [{ operator: "left_join", id: `with-${other}`, config }];
  const chain = line(sample, topics, operators, `with-${other}`, links);
  const row: GraphNode = {
    id: freeId(other, chain.nodes.map(({ id }) => id)),
    operator: "global_table",
    config: { topic: other },
    position: { x: 0, y: LANE },
  };
  const edges = joined(row, chain.nodes[1], operators, 1);
  return {
    title: `Look up \`${by}\` in \`${other}\``,
    path: "stream, global_table → left_join → to",
    edit: together(drawn(chain, sample), add(row), connect(...edges), learn(row.id, table.inferred)),
  };
}

export function onlyRead(sample: Sampled): Proposal {
  return { title: "Only read it", path: "stream", edit: drawn({ nodes: [source(sample)], edges: [] }, sample) };
}

const STEP = 240;
const LANE = 140;
const MAX_FIELDS = 3;

interface Link {
  readonly operator: string;
  readonly id: string;
  readonly config?: GraphNode["config"];
}

interface Chain {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const COUNTING: readonly Link[] = [
  { operator: "group_by_key", id: "by-key" },
  { operator: "count", id: "count" },
  { operator: "to_stream", id: "counts" },
];

function countPerKey(sample: Sampled, topics: readonly string[], operators: Operators): Proposal {
  return proposal("Count per key", sample, line(sample, topics, operators, "per-key", COUNTING));
}

function keepOnly(
  sample: Sampled,
  topics: readonly string[],
  operators: Operators,
  field: string,
  above: number,
): Proposal {
  const predicate = `${named(field)} > ${above}`;
  const links = [{ operator: "filter", id: `high-${field}`, config: { predicate } }];
  const chain = line(sample, topics, operators, "kept", links);
  return proposal(`Keep only \`${predicate}\``, sample, chain);
}

/** Counts go out under text keys, even where the topic's own keys are none. */
function countPer(sample: Sampled, topics: readonly string[], operators: Operators, field: string): Proposal {
  const format = shapeOf(sample).key.format === "string" ? {} : { key_format: "string" };
  const rekeyed: Link = { operator: "select_key", id: `by-${field}`, config: { key: named(field), ...format } };
  const grouped = COUNTING.map((link) => (link.id === "by-key" ? { ...link, id: "grouped" } : link));
  const chain = line(sample, topics, operators, `per-${field}`, [rekeyed, ...grouped]);
  return proposal(`Count per \`${field}\``, sample, chain);
}

function proposal(title: string, sample: Sampled, chain: Chain): Proposal {
  return { title, path: chain.nodes.map(({ operator }) => operator).join(" → "), edit: drawn(chain, sample) };
}

/** From the topic through the links to a topic of their own, left to right. */
function line(
  sample: Sampled,
  topics: readonly string[],
  operators: Operators,
  what: string,
  links: readonly Link[],
): Chain {
  const written = freeTopic(`${sample.topic.name}-${what}`, topics);
  const end: Link = { operator: "to", id: written, config: { topic: written } };
  const nodes: GraphNode[] = [source(sample)];
  for (const { operator, id, config = {} } of [...links, end]) {
    const free = freeId(id, nodes.map((node) => node.id));
    nodes.push({ id: free, operator, config, position: { x: nodes.length * STEP, y: 0 } });
  }
  const edges = nodes.slice(1).flatMap((node, index) => joined(nodes[index], node, operators));
  return { nodes, edges };
}

/** The edge from a node's first output to an input of another, as the catalogue calls them. */
function joined(
  from: GraphNode | undefined,
  to: GraphNode | undefined,
  operators: Operators,
  port = 0,
): readonly GraphEdge[] {
  const [out, into] = [outputsOf(from, operators)[0], inputsOf(to, operators)[port]];
  if (from === undefined || to === undefined || out === undefined || into === undefined) return [];
  return [{ source: from.id, source_port: out.name, target: to.id, target_port: into.name }];
}

function source({ topic }: Sampled): GraphNode {
  return { id: slug(topic.name), operator: "stream", config: { topic: topic.name }, position: { x: 0, y: 0 } };
}

function drawn({ nodes, edges }: Chain, { topic, inferred }: Sampled): Edit {
  return together(add(...nodes), connect(...edges), learn(slug(topic.name), inferred));
}

/** A topic of its own: nothing is written among records that others made. */
function freeTopic(wanted: string, topics: readonly string[]): string {
  const name = wanted.replaceAll(/[^a-zA-Z0-9._-]+/g, "-");
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!topics.includes(free)) return free;
  }
}

function shapeOf({ inferred }: Sampled): Shape {
  return inferred as unknown as Shape;
}
