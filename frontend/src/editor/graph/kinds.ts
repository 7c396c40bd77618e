/** The kinds of what flows, which are told apart everywhere by shape, colour and icon. */
import type { Graph, GraphNode, Operator } from "../../api/types";
import { followTypes, listOutputs, type Operators, type PortType } from "./ports";

/** What a node gives. `end`: nothing, because it writes a topic. `open`: not known yet, or it depends on the input. */
export type Kind = "stream" | "table" | "global" | "group" | "end" | "open";

export interface KindLook {
  readonly name: string;
  /** Its name in Lucide. */
  readonly icon: string;
  readonly means: string;
}

/** The kinds in the order of the legend. */
export const KINDS: Readonly<Record<"stream" | "table" | "global" | "group", KindLook>> = {
  stream: { name: "KStream", icon: "waves", means: "Every record counts by itself." },
  table: { name: "KTable", icon: "table-2", means: "The newest value of each key, split by key." },
  global: { name: "GlobalKTable", icon: "globe", means: "The newest value of each key, whole in every task." },
  group: { name: "Grouped", icon: "group", means: "Records by key or window, ready to aggregate." },
};

export function findKind(type: PortType | null): Kind {
  if (type === "KStream") return "stream";
  if (type === "KTable") return "table";
  if (type === "GlobalKTable") return "global";
  return type === null ? "open" : "group";
}

export function nameKindClass(kind: Kind): string {
  return `kind-${kind}`;
}

/** The type that a node gives at its first output. Null without outputs, or if not known yet. */
export function findGivenType(node: GraphNode, graph: Graph, operators: Operators): PortType | null {
  const [output] = listOutputs(node, operators);
  return output === undefined ? null : followTypes(graph, operators).findType(node.id, output.name);
}

/** The kind of a node in a graph. */
export function findNodeKind(node: GraphNode, graph: Graph, operators: Operators): Kind {
  return chooseKind(operators.get(node.operator), findGivenType(node, graph, operators));
}

/** The kind of a node with this operator that gives this type. */
export function chooseKind(operator: Operator | undefined, type: PortType | null): Kind {
  return operator?.outputs.length === 0 ? "end" : findKind(type);
}

/** The kind that an operator always gives, whatever feeds it. */
export function findOperatorKind(operator: Operator | undefined): Kind {
  const outputs = operator?.outputs ?? [];
  if (operator !== undefined && outputs.length === 0) return "end";
  const types = outputs.flatMap(({ like, cases }) => (like === null ? cases.map(({ gives }) => gives) : [null]));
  const kinds = new Set(types.map(findKind));
  const [only] = kinds;
  return kinds.size === 1 && only !== undefined ? only : "open";
}
