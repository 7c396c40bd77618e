/** The ports of a node and their types, as far as edges and configs say (designer/topology/ports.py). */
import type { Graph, GraphEdge, GraphNode, NodeConfig, Operator } from "../../api/types";

export type Operators = ReadonlyMap<string, Operator>;
export type Input = Operator["inputs"][number];
export type Output = Operator["outputs"][number];
export type Case = Output["cases"][number];
export type PortType = Case["gives"];
/** The type that arrives at each input port, if known. */
export type Arriving = Readonly<Record<string, PortType>>;

/** A port of a node by its real name. `declaration` is the operator's port behind it. */
export interface Port<Declaration extends Input | Output> {
  readonly name: string;
  readonly declaration: Declaration;
}

type Values = Readonly<Record<string, unknown>>;
type NodeSettings = Pick<GraphNode, "operator" | "config">;

export function listInputs(node: NodeSettings | undefined, operators: Operators): readonly Port<Input>[] {
  return node === undefined ? [] : listPorts(operators.get(node.operator)?.inputs ?? [], node.config);
}

export function listOutputs(node: NodeSettings | undefined, operators: Operators): readonly Port<Output>[] {
  return node === undefined ? [] : listPorts(operators.get(node.operator)?.outputs ?? [], node.config);
}

const ports = new WeakMap<readonly (Input | Output)[], readonly Port<Input | Output>[]>();

/** The ports of a node. Without names from the config, all nodes of an operator share the list. */
function listPorts<Declaration extends Input | Output>(
  declarations: readonly Declaration[],
  config: NodeConfig,
): readonly Port<Declaration>[] {
  if (declarations.some(({ each }) => each !== null)) return makePorts(declarations, config);
  const list = ports.get(declarations) ?? makePorts(declarations, {});
  ports.set(declarations, list);
  return list as readonly Port<Declaration>[];
}

/** A port for the rows of a list becomes one port per row, with the row's `name`. */
function makePorts<Declaration extends Input | Output>(
  declarations: readonly Declaration[],
  config: NodeConfig,
): readonly Port<Declaration>[] {
  const entries = declarations.flatMap((port) => {
    const names = port.each === null ? [port.name] : listRowNames(config[port.each]).filter((name) => name !== "");
    return names.map((name) => [name, { name, declaration: port }] as const);
  });
  return [...new Map(entries).values()];
}

/** The names of the rows of a list. "" for a row without a name yet. */
export function listRowNames(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) return [];
  return rows.map((row: { readonly name?: unknown } | null) => (typeof row?.name === "string" ? row.name : ""));
}

/** The type of an output, as far as the known facts of the node determine it. */
function findOutputType(
  output: Output,
  operator: Operator,
  config: NodeConfig,
  arriving: Arriving,
): PortType | null {
  if (output.like !== null) return arriving[output.like] ?? null;
  const values = readSettings(operator, config);
  const isHere = ([name, value]: readonly [string, unknown]) => (arriving[name] ?? values[name]) === value;
  return output.cases.find(({ when }) => Object.entries(when).every(isHere))?.gives ?? null;
}

/** Whether all named conditions are known to hold. */
export function holds(when: Values, values: Values): boolean {
  return Object.entries(when).every(([name, value]) => values[name] === value);
}

/** The cases of an output that may still hold, whatever arrives at the open ports. */
export function listOpenCases(
  output: Output,
  operator: Operator,
  config: NodeConfig,
  arriving: Arriving,
): readonly Case[] {
  const ports = new Set(listPorts(operator.inputs, config).map(({ name }) => name));
  const values: Values = { ...readSettings(operator, config), ...arriving };
  const isOpen = (name: string) => ports.has(name) && arriving[name] === undefined;
  return output.cases.filter(({ when }) =>
    Object.entries(when).every(([name, value]) => isOpen(name) || values[name] === value),
  );
}

const settings = new WeakMap<NodeConfig, { readonly operator: Operator; readonly values: Values }>();

/** The values of a node's fields: the config, else the form's defaults. Computed once for a config. */
export function readSettings(operator: Operator, config: NodeConfig): Values {
  const before = settings.get(config);
  if (before?.operator === operator) return before.values;
  const fields = Object.entries(operator.form.properties ?? {});
  const fallbacks = Object.fromEntries<unknown>(fields.map(([name, field]) => [name, field.default ?? null]));
  const values = { ...fallbacks, ...config };
  settings.set(config, { operator, values });
  return values;
}

/** The types at the ports of a graph. */
export interface Flowing {
  readonly findType: (source: string, port: string) => PortType | null;
  /** For a port with several edges, the type of the first. */
  readonly arriving: (node: string) => Arriving;
}

const cache = new WeakMap<Graph, { readonly operators: Operators; readonly flowing: Flowing }>();

/** Computed once per graph, which never changes: a drag asks at every port. */
export function followTypes(graph: Graph, operators: Operators): Flowing {
  const before = cache.get(graph);
  if (before?.operators === operators) return before.flowing;
  const fresh = findTypes(graph, operators);
  cache.set(graph, { operators, flowing: fresh });
  return fresh;
}

function findTypes(graph: Graph, operators: Operators): Flowing {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const feeding = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges) feeding.set(edge.target, [...(feeding.get(edge.target) ?? []), edge]);
  const types = new Map<string, Arriving | null>();
  const findType = (source: string, port: string): PortType | null => {
    const node = nodes.get(source);
    const operator = operators.get(node?.operator ?? "");
    const output = listOutputs(node, operators).find(({ name }) => name === port)?.declaration;
    if (node === undefined || operator === undefined || output === undefined) return null;
    const isPassing = node.bypassed === true && operator.is_bypassable;
    if (isPassing) return arriving(source)[operator.inputs[0]?.name ?? ""] ?? null;
    return findOutputType(output, operator, node.config, arriving(source));
  };
  const arriving = (id: string): Arriving => {
    const before = types.get(id);
    if (before !== undefined) return before ?? {};
    types.set(id, null); // on a cycle nothing is known
    const arrivals: Record<string, PortType> = {};
    for (const { source, source_port, target_port } of feeding.get(id) ?? []) {
      const type = findType(source, source_port);
      if (type !== null) arrivals[target_port] ??= type;
    }
    types.set(id, arrivals);
    return arrivals;
  };
  return { findType, arriving };
}

/** The ports that an edge names but its node lacks, by node: as inputs, as outputs. */
export function findLostPorts(graph: Graph, operators: Operators): ReadonlyMap<string, LostPorts> {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const losses = new Map<string, { inputs: Set<string>; outputs: Set<string> }>();
  const lose = (id: string) => {
    const ports = losses.get(id) ?? { inputs: new Set(), outputs: new Set() };
    losses.set(id, ports);
    return ports;
  };
  for (const { source, source_port, target, target_port } of graph.edges) {
    if (isLost(source_port, nodes.get(source), listOutputs, operators)) lose(source).outputs.add(source_port);
    if (isLost(target_port, nodes.get(target), listInputs, operators)) lose(target).inputs.add(target_port);
  }
  return new Map([...losses].map(([id, { inputs, outputs }]) => [id, { inputs: [...inputs], outputs: [...outputs] }]));
}

export interface LostPorts {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

function isLost(
  port: string,
  node: GraphNode | undefined,
  portsOf: (node: GraphNode, operators: Operators) => readonly { readonly name: string }[],
  operators: Operators,
): boolean {
  return node !== undefined && !portsOf(node, operators).some(({ name }) => name === port);
}

/** Whether the port at the end of an edge takes several edges. */
export function takesMany({ target, target_port }: GraphEdge, graph: Graph, operators: Operators): boolean {
  const node = graph.nodes.find(({ id }) => id === target);
  return listInputs(node, operators).find(({ name }) => name === target_port)?.declaration.is_many ?? false;
}
