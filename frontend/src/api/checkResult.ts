import type { Refusal } from "./refusal";
import type { CheckAnswer, RecordSchema } from "./types";

type Flows = CheckAnswer["nodes"][string]["inputs"];

/** Type at a port. `carries` is the schema of its records, or null if unknown. */
export interface Port {
  readonly type: Flows[string]["type"];
  readonly carries: RecordSchema | null;
}
type Ports = Readonly<Record<string, Port>>;

/** The answer of a check in the shape that the page uses. */
export interface CheckResult extends Pick<CheckAnswer, "issues" | "hints" | "shuffles"> {
  readonly nodes: Readonly<Record<string, { readonly inputs: Ports; readonly outputs: Ports }>>;
}

/** The answer of a check with a schema at each port. The server sends each schema once. */
export function toCheckResult({ issues, hints, nodes, schemas, shuffles }: CheckAnswer): CheckResult {
  const carrying = (flows: Flows): Readonly<Record<string, Port>> =>
    mapValues(flows, ({ type, carries }) => ({ type, carries: carries === null ? null : (schemas[carries] ?? null) }));
  const ports = mapValues(nodes, ({ inputs, outputs }) => ({ inputs: carrying(inputs), outputs: carrying(outputs) }));
  return { issues, hints, shuffles, nodes: ports };
}

/** The one problem of a graph that the server refuses to check. */
export function fromRefusal({ message, hint, details }: Refusal): CheckResult {
  const words = { code: "check.refused", args: { text: message, next_step: hint }, message, hint } as const;
  const issue = { ...words, level: "error" as const, node: details.node ?? null, field: null, span: null, fix: null };
  return { issues: [issue], hints: [], nodes: {}, shuffles: [] };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}
