/** Small graphs for tests. */
import type { Graph, GraphEdge, GraphNode, Operator, RecordSchema, Type } from "../api/types";
import type { Case, Input, Output, PortType } from "./graph/ports";
import type { Reason, Rules } from "./edges/connecting";
import type { Document } from "./document/document";
import { createDocumentStore } from "./document/documentStore";
import { createInterfaceStore } from "./interface/interfaceStore";
import type { Editing } from "./interface/useEditor";
import { Autosave } from "./saving/saving";

export function node(id: string, operator = "filter", x = 0, y = 0): GraphNode {
  return { id, operator, config: {}, position: { x, y } };
}

/** `a b` is an edge from a's output to b's first input. */
export function edge(ends: string, target_port = "in"): GraphEdge {
  const [source = "", target = ""] = ends.split(" ");
  return { source, source_port: "out", target, target_port };
}

export function documentOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[] = []): Document {
  return { graph: { nodes, edges }, schemas: {} };
}

/** A schema with values of that kind. */
export function schemaOf(kind: Type["kind"]): RecordSchema {
  const text = { format: "string", type: { kind: "string" } } as const;
  return { key: text, value: { format: "json", type: { kind } }, window: null };
}

export function graphOfEdges(...ends: readonly string[]): Graph {
  const ids = [...new Set(ends.flatMap((one) => one.split(" ")))];
  return { nodes: ids.map((id) => node(id)), edges: ends.map((one) => edge(one)) };
}

type OperatorFacts = Partial<Pick<Operator, "topic_use" | "new_key_field" | "first_step" | "follows" | "summary">>;

interface Ports extends OperatorFacts {
  readonly inputs?: readonly (Partial<Input> & Pick<Input, "name" | "takes">)[];
  readonly outputs?: readonly Partial<Output>[];
  readonly form?: Operator["form"];
}

/** An operator as in the catalogue, with the output `out` by default. */
export function operator(name: string, { inputs = [], outputs = [], form = {}, ...facts }: Ports): Operator {
  return {
    name,
    help: "",
    icon: "box",
    family: "stateless",
    kafka_names: [],
    topic_use: null,
    has_topic_of_rows: false,
    first_step: null,
    beneath: null,
    follows: 0,
    summary: [],
    looked_up_input: null,
    is_bypassable: isOne(inputs) && isOne(outputs),
    new_key_field: null,
    inputs: inputs.map((input) => ({ is_many: false, each: null, ...input })),
    outputs: outputs.map((output) => ({ name: "out", cases: [], like: null, each: null, ...output })),
    form,
    expressions: [],
    ...facts,
  };
}

const isOne = (ports: readonly Partial<Input & Output>[]) =>
  ports.length === 1 && ports.every(({ each, is_many }) => each == null && is_many !== true);

export const gives = (type: PortType, when: Case["when"] = {}): Case => ({ gives: type, when });
const into = (...takes: PortType[]) => [{ name: "in", takes }];
const out = (type: PortType) => [{ cases: [gives(type)] }];

/**
 * stream → filter → group → count → to_stream → to, a join of two of a stream or a table, and the operators whose
 * ports follow their config: split, merge, cogroup, windowed_by.
 */
export const RULES: Rules = {
  operators: new Map(
    [
      operator("stream", { outputs: out("KStream"), topic_use: "reads" }),
      operator("table", { outputs: out("KTable"), topic_use: "reads" }),
      operator("filter", { inputs: into("KStream"), outputs: [{ like: "in" }] }),
      operator("group_by_key", { inputs: into("KStream"), outputs: out("KGroupedStream") }),
      operator("count", { inputs: into("KGroupedStream"), outputs: out("KTable") }),
      operator("to_stream", { inputs: into("KTable"), outputs: out("KStream") }),
      operator("join", {
        inputs: [
          { name: "left", takes: ["KStream", "KTable"] },
          { name: "right", takes: ["KStream", "KTable"] },
        ],
        outputs: [
          {
            cases: [
              gives("KStream", { left: "KStream", right: "KStream" }),
              gives("KStream", { left: "KStream", right: "KTable" }),
              gives("KTable", { left: "KTable", right: "KTable" }),
            ],
          },
        ],
      }),
      operator("split", {
        inputs: into("KStream"),
        outputs: [
          { name: "branch", cases: [gives("KStream")], each: "branches" },
          { name: "default", cases: [gives("KStream")] },
        ],
      }),
      operator("merge", { inputs: [{ name: "in", takes: ["KStream"], is_many: true }], outputs: out("KStream") }),
      operator("cogroup", {
        inputs: [{ name: "grouped", takes: ["KGroupedStream"], each: "inputs" }],
        outputs: out("CogroupedKStream"),
      }),
      operator("windowed_by", {
        inputs: into("KGroupedStream", "CogroupedKStream"),
        outputs: [
          {
            cases: [
              gives("SessionWindowedKStream", { in: "KGroupedStream", type: "session" }),
              gives("TimeWindowedKStream", { in: "KGroupedStream", type: "tumbling" }),
              gives("TimeWindowedCogroupedKStream", { in: "CogroupedKStream" }),
            ],
          },
        ],
        form: { properties: { type: { default: "tumbling" } } },
      }),
      operator("to", { inputs: into("KStream"), topic_use: "writes" }),
    ].map((one) => [one.name, one]),
  ),
  refusals: new Map([
    refusal("KTable to.in", "A KTable cannot go into to.", "Put to_stream between them."),
    refusal("KStream count.in", "A KStream cannot go into count.", "Group it first."),
    refusal("KTable group_by_key.in", "A KTable cannot go into group_by_key.", "Put to_stream first."),
    refusal("KTable merge.in", "A KTable cannot go into merge.", "Put to_stream first."),
    refusal("KTable windowed_by.in", "A KTable cannot go into windowed_by.", "Group it first."),
    refusal("KStream cogroup.grouped", "A KStream cannot go into cogroup.", "Group it first."),
  ]),
  pairs: new Map([
    [
      "join KTable KStream",
      { code: "port.pair", message: "join does not take a KTable with a KStream.", hint: "It takes other pairs." },
    ],
  ]),
  messages: {
    "edge.fed_twice": { message: "`{port}` of `{node}` is fed by `{other}`.", hint: "Remove that edge first." },
    "edge.drawn": { message: "`{source}` feeds `{port}` of `{node}`.", hint: "One is enough." },
    "edge.cycle": { message: "From `{node}` to `{source}` and back.", hint: "Write to a topic." },
  },
};

function refusal(key: string, message: string, hint: string): [string, Reason] {
  return [key, { code: "port.type", message, hint }];
}

/** An editor of a document whose catalogue has these operators. */
export function editingOf(document: Document, operators: readonly Operator[] = []): Editing {
  const store = createDocumentStore(1, document, 1);
  return {
    store,
    ui: createInterfaceStore(),
    autosave: new Autosave(store),
    catalogue: {
      operators: [...operators],
      refused: [],
      pairs: [],
      messages: {},
      cures: {},
      python: { is_allowed: true, why: "" },
    },
    rules: RULES,
  };
}
