/** First steps with a topic: small whole graphs, made from its newest records. */
import { add, connect, joinEdits, learn, type Edit } from "../../editor/document/document";
import { findFreeId, makeSlug } from "../../editor/document/naming";
import type { Examples, GraphEdge, GraphNode, Operator, RecordSchema } from "../../api/types";
import { listInputs, listOutputs, type Operators } from "../../editor/graph/ports";
import { followOffers, readShape, type Offer } from "../../inspector/topic/registry";
import {
  findCategory,
  findKeyField,
  findMeasure,
  findThreshold,
  listFields,
  nameField,
  type ExampleRecord,
} from "./fields";

export interface TopicExamples extends Pick<Examples, "inferred"> {
  /** The schemas of a registry that its source reads. */
  readonly offers?: readonly Offer[];
  readonly topic: { readonly name: string };
  readonly messages: readonly ExampleRecord[];
}

/** The declared part of an operator in these graphs. */
type Step = NonNullable<Operator["first_step"]>;

export interface Proposal {
  readonly title: string;
  /** The drawing, in the names of its operators. */
  readonly path: string;
  readonly edit: Edit;
  /** The last node, from which the user goes on. */
  readonly end: string;
}

/** Possible graphs for a topic: count it, filter it, look something up, and always just read it. */
export function makeProposals(examples: TopicExamples, topics: readonly string[], operators: Operators): Proposal[] {
  const fields = listFields(shapeOf(examples), examples.messages);
  const keys = examples.messages.map(({ key }) => key);
  const measure = findMeasure(fields);
  const category = findCategory(fields, keys);
  const steps = [
    keys.some((key) => key !== null) ? countPerKey(examples, topics, operators) : null,
    measure === null ? null : keepOnly(examples, topics, operators, measure.name, findThreshold(measure.values)),
    category === null ? null : countPer(examples, topics, operators, category.name),
  ];
  return steps.filter((step) => step !== null);
}

/** A look-up of `table`'s rows by the field that names them. Null if the records do not have it. */
export function lookUp(
  examples: TopicExamples,
  table: TopicExamples,
  topics: readonly string[],
  operators: Operators,
): Proposal | null {
  const by = findKeyField(shapeOf(table), table.messages);
  const fields = shapeOf(examples).value.type.fields ?? [];
  if (by === null || !fields.some(({ name, type }) => name === by && type.kind === "string")) return null;
  const names = new Set(fields.map(({ name }) => name));
  const other = table.topic.name;
  const choices = (shapeOf(table).value.type.fields ?? []).filter(({ name }) => name !== by).slice(0, MAX_FIELDS);
  const config = {
    key: nameField(by),
    fields: choices.map(({ name }) => ({
      name: names.has(name) ? `${makeSlug(other).replaceAll("-", "_")}_${name}` : name,
      expression: /^[a-z_][a-z0-9_]*$/i.test(name) ? `right.${name}` : `right.\`${name}\``,
    })),
  };
  const links: readonly Link[] = [{ step: "look_up", id: `with-${other}`, config }];
  const chain = makeChain(examples, topics, operators, `with-${other}`, links);
  const row: GraphNode = {
    id: findFreeId(other, chain.nodes.map(({ id }) => id)),
    operator: findOperator("hold", operators),
    config: { topic: other },
    position: { x: 0, y: LANE },
  };
  const edges = join(row, chain.nodes[1], operators, 1);
  return {
    title: `Look up \`${by}\` in \`${other}\``,
    path: describePath(chain).replace(" → ", `, ${row.operator} → `),
    edit: joinEdits(draw(chain, examples), add(row), connect(...edges), readAs(row.id, table)),
    end: findEnd(chain),
  };
}

export function makeReadProposal(examples: TopicExamples, operators: Operators): Proposal {
  return makeProposal("Only read it", examples, { nodes: [makeSource(examples, operators)], edges: [] });
}

const STEP = 240;
const LANE = 140;
const MAX_FIELDS = 3;

interface Link {
  readonly step: Step;
  readonly id: string;
  readonly config?: GraphNode["config"];
}

interface Chain {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const COUNTING: readonly Link[] = [
  { step: "group", id: "by-key" },
  { step: "count", id: "count" },
  { step: "unroll", id: "counts" },
];

function countPerKey(examples: TopicExamples, topics: readonly string[], operators: Operators): Proposal {
  return makeProposal("Count per key", examples, makeChain(examples, topics, operators, "per-key", COUNTING));
}

function keepOnly(
  examples: TopicExamples,
  topics: readonly string[],
  operators: Operators,
  field: string,
  above: number,
): Proposal {
  const predicate = `${nameField(field)} > ${above}`;
  const links: readonly Link[] = [{ step: "keep", id: `high-${field}`, config: { predicate } }];
  const chain = makeChain(examples, topics, operators, "kept", links);
  return makeProposal(`Keep only \`${predicate}\``, examples, chain);
}

/** Counts have text keys, even if the topic's own keys are not text. */
function countPer(examples: TopicExamples, topics: readonly string[], operators: Operators, field: string): Proposal {
  const format = examples.inferred.key.format === "string" ? {} : { key_format: "string" };
  const rekeying: Link = { step: "rekey", id: `by-${field}`, config: { key: nameField(field), ...format } };
  const grouping = COUNTING.map((link) => (link.id === "by-key" ? { ...link, id: "grouped" } : link));
  const chain = makeChain(examples, topics, operators, `per-${field}`, [rekeying, ...grouping]);
  return makeProposal(`Count per \`${field}\``, examples, chain);
}

function makeProposal(title: string, examples: TopicExamples, chain: Chain): Proposal {
  return { title, path: describePath(chain), edit: draw(chain, examples), end: findEnd(chain) };
}

function findEnd({ nodes }: Chain): string {
  return nodes.at(-1)?.id ?? "";
}

function describePath({ nodes }: Chain): string {
  return nodes.map(({ operator }) => operator).join(" → ");
}

/** The name of the operator that declares the step. */
function findOperator(step: Step, operators: Operators): string {
  const operator = [...operators.values()].find(({ first_step }) => first_step === step);
  if (operator === undefined) throw new Error(`No operator declares the first step "${step}".`);
  return operator.name;
}

/** From the topic through the links to a new topic, left to right. */
function makeChain(
  examples: TopicExamples,
  topics: readonly string[],
  operators: Operators,
  what: string,
  links: readonly Link[],
): Chain {
  const target = findFreeTopic(`${examples.topic.name}-${what}`, topics);
  const end: Link = { step: "write", id: target, config: { topic: target } };
  const nodes: GraphNode[] = [makeSource(examples, operators)];
  for (const { step, id, config = {} } of [...links, end]) {
    const free = findFreeId(id, nodes.map((node) => node.id));
    const operator = findOperator(step, operators);
    nodes.push({ id: free, operator, config, position: { x: nodes.length * STEP, y: 0 } });
  }
  const edges = nodes.slice(1).flatMap((node, index) => join(nodes[index], node, operators));
  return { nodes, edges };
}

/** The edge from a node's first output to an input of another, by their names in the catalogue. */
function join(
  from: GraphNode | undefined,
  to: GraphNode | undefined,
  operators: Operators,
  port = 0,
): readonly GraphEdge[] {
  const [out, into] = [listOutputs(from, operators)[0], listInputs(to, operators)[port]];
  if (from === undefined || to === undefined || out === undefined || into === undefined) return [];
  return [{ source: from.id, source_port: out.name, target: to.id, target_port: into.name }];
}

function makeSource({ topic }: TopicExamples, operators: Operators): GraphNode {
  const operator = findOperator("read", operators);
  return { id: makeSlug(topic.name), operator, config: { topic: topic.name }, position: { x: 0, y: 0 } };
}

function draw({ nodes, edges }: Chain, examples: TopicExamples): Edit {
  return joinEdits(add(...nodes), connect(...edges), readAs(makeSlug(examples.topic.name), examples));
}

/** A source reads what the examples show, with the schemas of a registry that they name. */
function readAs(id: string, { topic, inferred, offers = [] }: TopicExamples): Edit {
  return joinEdits(learn(id, inferred), followOffers(id, topic.name, offers));
}

function shapeOf({ inferred, offers = [] }: TopicExamples): RecordSchema {
  return readShape(inferred, offers);
}

/** A new topic: nothing is written among other programs' records. */
function findFreeTopic(stem: string, topics: readonly string[]): string {
  const name = stem.replaceAll(/[^a-zA-Z0-9._-]+/g, "-");
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!topics.includes(free)) return free;
  }
}
