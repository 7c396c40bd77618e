import type { Refusal } from "./refusal";
import type { components } from "./schema";
import type { Checked, Port } from "./types";

type Answer = components["schemas"]["CheckOut"];
type Flows = Answer["nodes"][string]["inputs"];

/** The answer of a check with the schema of each port in its place; the server sends each schema once. */
export function checkedOf({ issues, nodes, schemas, shuffles }: Answer): Checked {
  const carrying = (flows: Flows): Readonly<Record<string, Port>> =>
    mapped(flows, ({ type, carries }) => ({ type, carries: carries === null ? null : (schemas[carries] ?? null) }));
  const carried = mapped(nodes, ({ inputs, outputs }) => ({ inputs: carrying(inputs), outputs: carrying(outputs) }));
  return { issues, shuffles, nodes: carried };
}

/** A drawing that the server refuses to check has one problem: why. */
export function refusedCheck({ code, message, hint, details }: Refusal): Checked {
  const node = typeof details.node === "string" ? details.node : null;
  return {
    issues: [{ code, message, hint, node, field: null, span: null, fix: null }],
    nodes: {},
    shuffles: [],
  };
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}
