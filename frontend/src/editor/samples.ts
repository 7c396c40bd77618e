/** Small graphs for tests. */
import type { Operator } from "../api/types";
import type { Graph, GraphEdge, GraphNode } from "../graph/graph";
import type { Rules } from "./connecting";
import type { Document } from "./document";

export function node(id: string, operator = "filter", x = 0, y = 0): GraphNode {
  return { id, operator, config: {}, position: { x, y } };
}

/** `a b` is an edge from a's output to b's first input. */
export function wire(ends: string, target_port = "in"): GraphEdge {
  const [source = "", target = ""] = ends.split(" ");
  return { source, source_port: "out", target, target_port };
}

export function drawing(nodes: readonly GraphNode[], edges: readonly GraphEdge[] = []): Document {
  return { graph: { nodes, edges }, schemas: {} };
}

export function graphOfWires(...ends: readonly string[]): Graph {
  const ids = [...new Set(ends.flatMap((one) => one.split(" ")))];
  return { nodes: ids.map((id) => node(id)), edges: ends.map((one) => wire(one)) };
}

type Type = Operator["outputs"][number]["gives"];

function operator(name: string, takes: readonly (readonly [string, Type])[], gives: Type, like = false): Operator {
  return {
    name,
    help: "",
    icon: "box",
    family: "stateless",
    rekeys: false,
    inputs: takes.map(([port, type]) => ({ name: port, takes: type === null ? [] : [type] })),
    outputs: name === "to" ? [] : [{ name: "out", gives: like ? null : gives, like: like ? "in" : null }],
    form: {},
    expressions: [],
  };
}

/** stream → filter → group → count → to_stream → to, and a join of a stream with a table. */
export const RULES: Rules = {
  operators: new Map(
    [
      operator("stream", [], "KStream"),
      operator("table", [], "KTable"),
      operator("filter", [["in", "KStream"]], null, true),
      operator("group_by_key", [["in", "KStream"]], "KGroupedStream"),
      operator("count", [["in", "KGroupedStream"]], "KTable"),
      operator("to_stream", [["in", "KTable"]], "KStream"),
      operator("join", [["stream", "KStream"], ["table", "KTable"]], "KStream"),
      operator("to", [["in", "KStream"]], null),
    ].map((one) => [one.name, one]),
  ),
  refused: new Map([
    ["KTable to.in", { message: "A KTable cannot go into to.", hint: "Put to_stream between them." }],
    ["KTable join.stream", { message: "A KTable cannot go into join.", hint: "Use its table port." }],
    ["KStream join.table", { message: "A KStream cannot go into join.", hint: "Use its stream port." }],
    ["KStream count.in", { message: "A KStream cannot go into count.", hint: "Group it first." }],
    ["KTable group_by_key.in", { message: "A KTable cannot go into group_by_key.", hint: "Put to_stream first." }],
  ]),
};
