/** A node between two that do not fit: to_stream after a table, or group_by_key before an aggregation. */
import type { GraphEdge, Operator } from "../../api/types";
import { findFittingEdge, type Rules } from "../edges/connecting";
import { findMiddle } from "../layout/room";
import { findFreePlace, STEP } from "../layout/places";
import { connect, joinEdits, move, type Document, type Position } from "../document/document";
import { addOperator, type Addition, type From } from "./adding";

/** The operators that turn what a node gives into what another takes, without a setting. */
const BRIDGES: readonly NonNullable<Operator["first_step"]>[] = ["unroll", "group"];

export interface Bridge extends Addition {
  readonly operator: string;
}

/** A node in place of an edge that is refused, joined with both ends. Null if none fits. */
export function findBridge(edge: GraphEdge, document: Document, rules: Rules): Bridge | null {
  const from: From = { source: edge.source, port: edge.source_port };
  const at = findFreePlace(findMiddle(edge, document), document.graph.nodes);
  for (const { name } of listBridges(rules)) {
    const addition = addOperator(name, at, document, rules, [from]);
    const after = addition.edit(document);
    const isFed = after.graph.edges.length > document.graph.edges.length;
    const outputs = rules.operators.get(name)?.outputs ?? [];
    const onwards = outputs.map((output) =>
      findFittingEdge(addition.id, output.name, edge.target, after.graph, rules),
    );
    const next = onwards.find((one) => one !== null);
    if (!isFed || next == null) continue;
    return { operator: name, id: addition.id, edit: joinEdits(addition.edit, connect(next)) };
  }
  return null;
}

function listBridges({ operators }: Rules): readonly Operator[] {
  return BRIDGES.flatMap((step) => [...operators.values()].filter(({ first_step }) => first_step === step));
}

/** Adds a node with edges from outputs. Between a table and a sink, which takes streams only, it puts to_stream. */
export function addFed(
  operator: string,
  at: Position,
  document: Document,
  rules: Rules,
  from: readonly From[],
): Addition {
  const addition = addOperator(operator, at, document, rules, from);
  const after = addition.edit(document);
  const [source, ...others] = from;
  const declaration = rules.operators.get(operator);
  const [input] = declaration?.inputs ?? [];
  const isFed = after.graph.edges.length > document.graph.edges.length;
  if (isFed || source === undefined || others.length > 0 || input === undefined) return addition;
  if (declaration?.topic_use !== "writes") return addition;
  const edge = { source: source.source, source_port: source.port, target: addition.id, target_port: input.name };
  const further = move(new Map([[addition.id, { x: at.x + STEP.x, y: at.y }]]));
  const bridge = findBridge(edge, further(after), rules);
  return bridge === null ? addition : { ...addition, edit: joinEdits(addition.edit, further, bridge.edit) };
}
