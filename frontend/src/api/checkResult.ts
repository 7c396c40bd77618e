import type { Refusal } from "./refusal";
import type { CheckAnswer, RecordSchema } from "./types";

type Flows = CheckAnswer["nodes"][string]["inputs"];

/** What flows at a port; `carries` is the schema of its records, null if it is not known. */
export interface Port {
  readonly type: Flows[string]["type"];
  readonly carries: RecordSchema | null;
}
type Ports = Readonly<Record<string, Port>>;

/** The answer of a check as the page keeps it. */
export interface CheckResult extends Pick<CheckAnswer, "issues" | "shuffles"> {
  readonly nodes: Readonly<Record<string, { readonly inputs: Ports; readonly outputs: Ports }>>;
}

/** The answer of a check with the schema of each port in its place; the server sends each schema once. */
export function toCheckResult({ issues, nodes, schemas, shuffles }: CheckAnswer): CheckResult {
  const carrying = (flows: Flows): Readonly<Record<string, Port>> =>
    mapValues(flows, ({ type, carries }) => ({ type, carries: carries === null ? null : (schemas[carries] ?? null) }));
  const ports = mapValues(nodes, ({ inputs, outputs }) => ({ inputs: carrying(inputs), outputs: carrying(outputs) }));
  return { issues, shuffles, nodes: ports };
}

/** A graph that the server refuses to check has one problem: why. */
export function fromRefusal({ message, hint, details }: Refusal): CheckResult {
  const words = { code: "check.refused", args: { text: message, next_step: hint }, message, hint } as const;
  const issue = { ...words, node: details.node ?? null, field: null, span: null, fix: null };
  return { issues: [issue], nodes: {}, shuffles: [] };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}
