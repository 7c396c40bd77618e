import { expect, it } from "vitest";
import type { Operator } from "../api/types";
import type { Graph } from "./graph";
import { wireLooks } from "./wires";

const operators = new Map([
  operator("stream", { gives: "KStream", like: null }),
  operator("global_table", { gives: "GlobalKTable", like: null }),
  operator("filter", { gives: null, like: "in" }),
  operator("group_by_key", { gives: "KGroupedStream", like: null }),
  operator("count", { gives: "KTable", like: null }),
]);

function operator(name: string, output: { gives: Operator["outputs"][number]["gives"]; like: string | null }) {
  const described = { name, help: "", icon: "box", family: "stateless", rekeys: false, form: {}, expressions: [] };
  return [name, { ...described, inputs: [], outputs: [{ name: "out", ...output }] } satisfies Operator] as const;
}

function chain(...names: string[]): Graph {
  const nodes = names.map((name, index) => ({
    id: `${name}-${index}`,
    operator: name,
    config: {},
    position: { x: 0, y: 0 },
  }));
  const edges = nodes.slice(1).map((node, index) => ({
    source: nodes[index]?.id ?? "",
    source_port: "out",
    target: node.id,
    target_port: "in",
  }));
  return { nodes, edges };
}

it("draws what each operator gives", () => {
  expect(wireLooks(chain("stream", "group_by_key", "count", "to"), operators)).toEqual(["stream", "grouped", "table"]);
});

it("follows an output that is like its input", () => {
  expect(wireLooks(chain("count", "filter", "filter", "to"), operators)).toEqual(["table", "table", "table"]);
  expect(wireLooks(chain("global_table", "join"), operators)).toEqual(["global"]);
});

it("draws a stream while the type is not known, even on a cycle", () => {
  const cycle = chain("filter", "filter");
  const back = { source: "filter-1", source_port: "out", target: "filter-0", target_port: "in" };

  expect(wireLooks({ ...cycle, edges: [...cycle.edges, back] }, operators)).toEqual(["stream", "stream"]);
});
