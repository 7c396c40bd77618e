/** May this edge be drawn? What Kafka Streams would not compile is refused while it is dragged, with the reason. */
import type { Catalogue, Graph, GraphEdge, GraphNode } from "../api/types";
import {
  flowing,
  inputsOf,
  openCases,
  outputsOf,
  type Case,
  type Operators,
  type Port,
  type Input,
  type Output,
} from "../graph/ports";

export interface Reason {
  readonly message: string;
  readonly hint: string;
}

export interface Rules {
  readonly operators: Operators;
  /** Why an output type cannot go into a port, by `refusedKey`. */
  readonly refused: ReadonlyMap<string, Reason>;
}

export function rulesOf(catalogue: Catalogue): Rules {
  return {
    operators: new Map(catalogue.operators.map((operator) => [operator.name, operator])),
    refused: new Map(
      catalogue.refused.map(({ gives, operator, port, message, hint }) => [
        refusedKey(gives, operator, port),
        { message, hint },
      ]),
    ),
  };
}

/** Why the edge cannot be drawn; null when it can. */
export function whyNot(edge: GraphEdge, graph: Graph, rules: Rules): Reason | null {
  const target = graph.nodes.find(({ id }) => id === edge.target);
  const port = inputsOf(target, rules.operators).find(({ name }) => name === edge.target_port);
  if (target === undefined) return null;
  return (
    wrongType(edge, target.operator, port, graph, rules) ??
    fedAlready(edge, port, graph) ??
    goesRound(edge, graph) ??
    wrongPair(edge, target, graph, rules.operators)
  );
}

/** An output of a type not known yet is refused where none of the types it may have would do. */
function wrongType(
  edge: GraphEdge,
  operator: string,
  port: Port<Input> | undefined,
  graph: Graph,
  rules: Rules,
): Reason | null {
  const declared = port?.declared.name ?? edge.target_port;
  const types = possibleTypes(edge, graph, rules.operators);
  const reasons = types.map((type) => rules.refused.get(refusedKey(type, operator, declared)) ?? null);
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** What an output gives, or may give while what arrives at its node is not known. */
function possibleTypes({ source, source_port }: GraphEdge, graph: Graph, operators: Operators): readonly string[] {
  const { given, arriving } = flowing(graph, operators);
  const known = given(source, source_port);
  if (known !== null) return [known];
  const node = graph.nodes.find(({ id }) => id === source);
  const operator = operators.get(node?.operator ?? "");
  const output = outputsOf(node, operators).find(({ name }) => name === source_port)?.declared;
  if (node === undefined || operator === undefined || output === undefined) return [];
  if (output.like !== null) return operator.inputs.find(({ name }) => name === output.like)?.takes ?? [];
  return openCases(output, operator, node.config, arriving(source)).map(({ gives }) => gives);
}

function fedAlready(edge: GraphEdge, port: Port<Input> | undefined, graph: Graph): Reason | null {
  const others = graph.edges.filter(
    ({ target, target_port }) => target === edge.target && target_port === edge.target_port,
  );
  if (port?.declared.many === true) return others.some((other) => isSame(other, edge)) ? drawnAlready(edge) : null;
  const [other] = others;
  if (other === undefined) return null;
  return {
    message:
      `The \`${edge.target_port}\` port of \`${edge.target}\` takes one edge, and ` +
      `\`${other.source}\` already feeds it.`,
    hint: "Remove that edge first.",
  };
}

function isSame(one: GraphEdge, other: GraphEdge): boolean {
  return one.source === other.source && one.source_port === other.source_port;
}

function drawnAlready({ source, target, target_port }: GraphEdge): Reason {
  return {
    message: `\`${source}\` already feeds the \`${target_port}\` port of \`${target}\`.`,
    hint: "One edge carries every record.",
  };
}

/** Ports that take several types may not take every combination: Kafka Streams joins no KTable with a KStream. */
function wrongPair(edge: GraphEdge, target: GraphNode, graph: Graph, operators: Operators): Reason | null {
  const operator = operators.get(target.operator);
  const type = flowing(graph, operators).given(edge.source, edge.source_port);
  if (operator === undefined || type === null) return null;
  const arriving = { ...flowing(graph, operators).arriving(edge.target), [edge.target_port]: type };
  const stuck = outputsOf(target, operators)
    .map(({ declared }) => declared)
    .find((output) => output.like === null && openCases(output, operator, target.config, arriving).length === 0);
  if (stuck === undefined) return null;
  const ports = inputsOf(target, operators).flatMap(({ name }) => arriving[name] ?? []);
  return {
    message: `${target.operator} does not take ${ports.map(a).join(" with ")}.`,
    hint: `It takes ${takes(stuck)}.`,
  };
}

/** "a KStream as left and a KTable as right, or …" */
function takes({ cases }: Output): string {
  const isType = (word: string) => /^(K|Global|Cogrouped|TimeWindowed|SessionWindowed)[A-Z]/.test(word);
  const said = ({ when }: Case) =>
    Object.entries(when).map(([name, value]) => `${isType(value) ? a(value) : value} as ${name}`);
  return cases.map((each) => said(each).join(" and ")).join(", or ");
}

function a(thing: string): string {
  return `${/^[aeio]/i.test(thing) ? "an" : "a"} ${thing}`;
}

function goesRound(edge: GraphEdge, graph: Graph): Reason | null {
  if (!leadsTo(edge.target, edge.source, graph)) return null;
  return {
    message: `Records from \`${edge.target}\` already reach \`${edge.source}\`: this edge would make a loop.`,
    hint: "Write to a topic and read that topic as a source.",
  };
}

/** Whether `to` is `from`, or lies behind it. */
export function leadsTo(from: string, to: string, graph: Graph): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...graph.edges.filter(({ source }) => source === id).map(({ target }) => target));
  }
  return false;
}

/** The edge that would feed a node from an output: into the first port that takes it; null where none does. */
export function fitting(
  source: string,
  source_port: string,
  target: string,
  graph: Graph,
  rules: Rules,
): GraphEdge | null {
  const ports = inputsOf(graph.nodes.find(({ id }) => id === target), rules.operators);
  const edges = ports.map(({ name }) => ({ source, source_port, target, target_port: name }));
  return edges.find((edge) => whyNot(edge, graph, rules) === null) ?? null;
}

function refusedKey(gives: string, operator: string, port: string): string {
  return `${gives} ${operator}.${port}`;
}
