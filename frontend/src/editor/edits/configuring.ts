/** Changes a node's config. If rows of the config name ports, edges follow their rows. */
import type { GraphEdge, Operator } from "../../api/types";
import { listRowNames } from "../graph/ports";
import { configure, findNode, type Config, type Document, type Edit } from "../document/document";

type PortNames = ReadonlyMap<string, string | null>;

/** Edges of a renamed row get its new name. Edges of a removed row are removed too. */
export const configureNode =
  (id: string, config: Config, operator: Operator | undefined): Edit =>
  (document) => {
    const before = findNode(document, id)?.config ?? {};
    const inputs = findPortRenames(operator?.inputs ?? [], before, config);
    const outputs = findPortRenames(operator?.outputs ?? [], before, config);
    return withPorts(configure(id, config)(document), id, inputs, outputs);
  };

/** The config of a new node: a first row in each list that names its ports, so that it has some. */
export function makeFirstConfig(operator: Operator | undefined): Config {
  return Object.fromEntries([...findPortLists(operator)].map((list) => [list, [{ name: findFreeName(list, []) }]]));
}

/** The lists of a config with one port per row. */
export function findPortLists(operator: Operator | undefined): ReadonlySet<string> {
  const each = [...(operator?.inputs ?? []), ...(operator?.outputs ?? [])].map((port) => port.each);
  return new Set(each.filter((list) => list !== null));
}

/** A name for a new row: `branch-2`. */
export function findFreeName(list: string, rows: unknown): string {
  const [names, stem] = [listRowNames(rows), toSingular(list).toLowerCase()];
  for (let number = names.length + 1; ; number += 1) {
    if (!names.includes(`${stem}-${number}`)) return `${stem}-${number}`;
  }
}

/** The singular: "branches" becomes "branch". */
export function toSingular(list: string): string {
  return /(ch|sh|ss|x)es$/i.test(list) ? list.slice(0, -2) : list.replace(/s$/i, "");
}

/** The new name of each renamed port, or null for a removed one. */
function findPortRenames(ports: Operator["inputs"] | Operator["outputs"], before: Config, after: Config): PortNames {
  const fixedNames = new Set(ports.filter(({ each }) => each === null).map(({ name }) => name));
  const lists = new Set(ports.map(({ each }) => each).filter((each) => each !== null));
  const namesIn = (rows: unknown) => namePorts(rows, fixedNames);
  return new Map([...lists].flatMap((list) => findRenames(namesIn(before[list]), namesIn(after[list]))));
}

/**
 * The port of each row. A row without a name, or with a taken one, is called "" while the user types: its edges
 * wait for the name.
 */
function namePorts(rows: unknown, fixedNames: ReadonlySet<string>): readonly string[] {
  const usedNames = new Set(fixedNames);
  return listRowNames(rows).map((name) => {
    const port = usedNames.has(name) ? "" : name;
    usedNames.add(name);
    return port;
  });
}

function findRenames(before: readonly string[], after: readonly string[]): (readonly [string, string | null])[] {
  if (before.length === after.length) {
    if (isReordered(before, after)) return [];
    return before.flatMap((name, at) => (name === after[at] ? [] : [[name, after[at] ?? ""] as const]));
  }
  if (before.length < after.length) return [];
  return before.filter((name) => !after.includes(name)).map((name) => [name, null] as const);
}

function isReordered(before: readonly string[], after: readonly string[]): boolean {
  return [...before].sort().join("\n") === [...after].sort().join("\n");
}

function withPorts(document: Document, id: string, inputs: PortNames, outputs: PortNames): Document {
  if (inputs.size + outputs.size === 0) return document;
  const edges = document.graph.edges.flatMap((edge): GraphEdge[] => {
    const target_port = edge.target === id ? findNewName(inputs, edge.target_port) : edge.target_port;
    const source_port = edge.source === id ? findNewName(outputs, edge.source_port) : edge.source_port;
    if (target_port === null || source_port === null) return [];
    return source_port === edge.source_port && target_port === edge.target_port
      ? [edge]
      : [{ ...edge, source_port, target_port }];
  });
  return { ...document, graph: { ...document.graph, edges } };
}

function findNewName(names: PortNames, port: string): string | null {
  const name = names.get(port);
  return name === undefined ? port : name;
}
