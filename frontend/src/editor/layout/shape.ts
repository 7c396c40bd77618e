/** The part of a node's look that depends on its ports: which there are, their places, and the node's height. */
import { NODE } from "./places";
import { areSame } from "../document/areSame";
import type { Graph } from "../../api/types";
import { chooseKind, findGivenType, type Kind } from "../graph/kinds";
import { findLostPorts, followTypes, listInputs, listOutputs } from "../graph/ports";
import type { Arriving, Input, Operators, Output, Port, PortType } from "../graph/ports";

export interface Shape {
  readonly inputs: readonly ShapePort[];
  readonly outputs: readonly ShapePort[];
  /** In pixels at zoom 1. */
  readonly height: number;
  /** What it gives at its first output, or null. */
  readonly type: PortType | null;
  readonly kind: Kind;
}

export interface ShapePort {
  readonly name: string;
  /** Position down the node's side, 0 to 1. */
  readonly at: number;
  /** Whether its name is shown: if there are several, or if the config names it. */
  readonly isNamed: boolean;
  /** Whether the user named it, as a branch. */
  readonly isOwn: boolean;
  /** Whether several edges may end in it. */
  readonly isMany: boolean;
  /** Whether an edge names it, but the node lacks it. */
  readonly isLost: boolean;
}

/** Height of a port and its name, in pixels. */
const PORT = 20;
const GRID = 8;

/** The shape of every node, by its id. */
export function findShapes(graph: Graph, operators: Operators): ReadonlyMap<string, Shape> {
  const extra = findLostPorts(graph, operators);
  const { arriving } = followTypes(graph, operators);
  return new Map(
    graph.nodes.map((node) => {
      const ports = putTablesFirst(listInputs(node, operators), arriving(node.id));
      const inputs = place(ports, extra.get(node.id)?.inputs ?? []);
      const outputs = place(listOutputs(node, operators), extra.get(node.id)?.outputs ?? []);
      const height = measureHeight(Math.max(inputs.length, outputs.length));
      const type = findGivenType(node, graph, operators);
      return [node.id, { inputs, outputs, height, type, kind: chooseKind(operators.get(node.operator), type) }];
    }),
  );
}

const TABLES: ReadonlySet<PortType> = new Set(["KTable", "GlobalKTable"]);

/** Beside a stream, tables enter from above: their ports come first, and Tidy puts their nodes there. */
function putTablesFirst<Declaration extends Input>(
  ports: readonly Port<Declaration>[],
  arriving: Arriving,
): readonly Port<Declaration>[] {
  if (ports.length < 2 || !Object.values(arriving).includes("KStream")) return ports;
  const isTable = ({ name }: Port<Declaration>) => TABLES.has(arriving[name] ?? "KStream");
  return ports.some(isTable) ? [...ports].sort((one, other) => Number(isTable(other)) - Number(isTable(one))) : ports;
}

const cache = new WeakMap<readonly Port<Input | Output>[], readonly ShapePort[]>();

/** The places of a side's ports. Nodes with the same ports share the list, as most nodes of an operator do. */
function place(ports: readonly Port<Input | Output>[], lostNames: readonly string[]): readonly ShapePort[] {
  if (lostNames.length > 0) return placePorts(ports, lostNames);
  const places = cache.get(ports) ?? placePorts(ports, lostNames);
  cache.set(ports, places);
  return places;
}

/** Ports that no longer exist come last, so that users can see and remove their edges. */
function placePorts(ports: readonly Port<Input | Output>[], lostNames: readonly string[]): readonly ShapePort[] {
  const length = ports.length + lostNames.length;
  const existing = ports.map(({ name, declaration }) => ({
    name,
    isNamed: length > 1 || declaration.each !== null,
    isOwn: declaration.each !== null,
    isMany: "is_many" in declaration && declaration.is_many,
    isLost: false,
  }));
  const losses = lostNames.map((name) => ({ name, isNamed: true, isOwn: false, isMany: false, isLost: true }));
  return [...existing, ...losses].map((port, index) => ({ ...port, at: (index + 1) / (length + 1) }));
}

function measureHeight(ports: number): number {
  return ports < 3 ? NODE.height : Math.ceil(((ports + 1) * PORT) / GRID) * GRID;
}

export function isSameShape(one: Shape, other: Shape): boolean {
  const isSameType = one.type === other.type && one.kind === other.kind;
  return (isSameType && one.inputs === other.inputs && one.outputs === other.outputs) || areSame(one, other);
}
