/** Whether an edge may be drawn. A drag shows why Kafka Streams would not compile it. */
import type { Catalogue, Graph, GraphEdge, GraphNode, IssueCode } from "../../api/types";
import {
  followTypes,
  listInputs,
  listOpenCases,
  listOutputs,
  type Operators,
  type Port,
  type Input,
} from "../graph/ports";

/** The server words each code. */
export interface Reason {
  readonly code: IssueCode;
  readonly message: string;
  readonly hint: string;
}

export interface Rules {
  readonly operators: Operators;
  /** Why an output type cannot go into a port, by `makeRefusalKey`. */
  readonly refusals: ReadonlyMap<string, Reason>;
  /** Why an operator does not accept some types together, by `makePairKey`. */
  readonly pairs: ReadonlyMap<string, Reason>;
  /** Other reasons by code. `{name}` is replaced by an argument. */
  readonly messages: Catalogue["messages"];
}

export function makeRules(catalogue: Pick<Catalogue, "operators" | "refused" | "pairs" | "messages">): Rules {
  return {
    operators: new Map(catalogue.operators.map((operator) => [operator.name, operator])),
    refusals: new Map(
      catalogue.refused.map(({ gives, operator, port, message, hint }) => [
        makeRefusalKey(gives, operator, port),
        { code: "port.type", message, hint },
      ]),
    ),
    pairs: new Map(
      catalogue.pairs.map(({ operator, arriving, message, hint }) => [
        makePairKey(operator, arriving),
        { code: "port.pair", message, hint },
      ]),
    ),
    messages: catalogue.messages,
  };
}

/** Why the edge cannot be drawn, or null if it can. */
export function explainWhyNot(edge: GraphEdge, graph: Graph, rules: Rules): Reason | null {
  const target = graph.nodes.find(({ id }) => id === edge.target);
  const port = listInputs(target, rules.operators).find(({ name }) => name === edge.target_port);
  if (target === undefined) return null;
  return (
    checkType(edge, target.operator, port, graph, rules) ??
    checkFeeds(edge, port, graph, rules) ??
    checkCycle(edge, graph, rules) ??
    checkPair(edge, target, graph, rules)
  );
}

/** Refuses an output of unknown type if none of its possible types fits. */
function checkType(
  edge: GraphEdge,
  operator: string,
  port: Port<Input> | undefined,
  graph: Graph,
  rules: Rules,
): Reason | null {
  const portName = port?.declaration.name ?? edge.target_port;
  const types = listPossibleTypes(edge, graph, rules.operators);
  const reasons = types.map((type) => rules.refusals.get(makeRefusalKey(type, operator, portName)) ?? null);
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** The types that an output has, or may have while the input types of its node are unknown. */
function listPossibleTypes({ source, source_port }: GraphEdge, graph: Graph, operators: Operators): readonly string[] {
  const { findType, arriving } = followTypes(graph, operators);
  const type = findType(source, source_port);
  if (type !== null) return [type];
  const node = graph.nodes.find(({ id }) => id === source);
  const operator = operators.get(node?.operator ?? "");
  const output = listOutputs(node, operators).find(({ name }) => name === source_port)?.declaration;
  if (node === undefined || operator === undefined || output === undefined) return [];
  if (output.like !== null) return operator.inputs.find(({ name }) => name === output.like)?.takes ?? [];
  return listOpenCases(output, operator, node.config, arriving(source)).map(({ gives }) => gives);
}

function checkFeeds(edge: GraphEdge, port: Port<Input> | undefined, graph: Graph, rules: Rules): Reason | null {
  const { source, target: node, target_port } = edge;
  const others = graph.edges.filter((other) => other.target === node && other.target_port === target_port);
  const [other] = others;
  if (other === undefined) return null;
  if (port?.declaration.is_many !== true) {
    return fillReason("edge.fed_twice", { port: target_port, node, other: other.source }, rules);
  }
  if (!others.some((one) => isSame(one, edge))) return null;
  return fillReason("edge.drawn", { source, port: target_port, node }, rules);
}

function isSame(one: GraphEdge, other: GraphEdge): boolean {
  return one.source === other.source && one.source_port === other.source_port;
}

/** Ports with several types may not take every combination: Kafka Streams cannot join a KTable with a KStream. */
function checkPair(edge: GraphEdge, target: GraphNode, graph: Graph, { operators, pairs }: Rules): Reason | null {
  const operator = operators.get(target.operator);
  const type = followTypes(graph, operators).findType(edge.source, edge.source_port);
  if (operator === undefined || type === null) return null;
  const arriving = { ...followTypes(graph, operators).arriving(edge.target), [edge.target_port]: type };
  const isStuck = listOutputs(target, operators).some(
    ({ declaration: output }) =>
      output.like === null && listOpenCases(output, operator, target.config, arriving).length === 0,
  );
  if (!isStuck) return null;
  const types = listInputs(target, operators).flatMap(({ name }) => arriving[name] ?? []);
  return pairs.get(makePairKey(target.operator, types)) ?? null;
}

function checkCycle({ source, target }: GraphEdge, graph: Graph, rules: Rules): Reason | null {
  return leadsTo(target, source, graph) ? fillReason("edge.cycle", { node: target, source }, rules) : null;
}

/** A sentence of the server with its arguments. */
function fillReason(code: IssueCode, values: Readonly<Record<string, string>>, { messages }: Rules): Reason {
  const { message = code, hint = "" } = messages[code] ?? {};
  return { code, message: message.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place), hint };
}

/** Whether `to` is `from` or downstream of it. */
export function leadsTo(from: string, to: string, { edges }: Graph): boolean {
  const targets = listTargets(edges);
  const reached = new Set([from]);
  for (const id of reached) {
    if (id === to) return true;
    for (const target of targets.get(id) ?? []) reached.add(target); // a set is walked as it grows
  }
  return false;
}

const targetsOf = new WeakMap<Graph["edges"], ReadonlyMap<string, readonly string[]>>();

/** The nodes behind each node. Computed once for the edges: the offers for one input ask about every other node. */
function listTargets(edges: Graph["edges"]): ReadonlyMap<string, readonly string[]> {
  const known = targetsOf.get(edges);
  if (known !== undefined) return known;
  const targets = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const others = targets.get(source);
    if (others === undefined) targets.set(source, [target]);
    else others.push(target);
  }
  targetsOf.set(edges, targets);
  return targets;
}

/** The edge from an output into the first port that takes it, or null if there is none. */
export function findFittingEdge(
  source: string,
  source_port: string,
  target: string,
  graph: Graph,
  rules: Rules,
): GraphEdge | null {
  const ports = listInputs(graph.nodes.find(({ id }) => id === target), rules.operators);
  const edges = ports.map(({ name }) => ({ source, source_port, target, target_port: name }));
  return edges.find((edge) => explainWhyNot(edge, graph, rules) === null) ?? null;
}

function makeRefusalKey(gives: string, operator: string, port: string): string {
  return `${gives} ${operator}.${port}`;
}

function makePairKey(operator: string, types: readonly string[]): string {
  return [operator, ...types].join(" ");
}
