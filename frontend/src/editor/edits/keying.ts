import type { GraphEdge } from "../../api/types";
import type { Addition } from "./adding";
import { firstConfig } from "./configuring";
import type { Rules } from "../edges/connecting";
import { add, edgeKey, nodeOf, type Document } from "../document/document";
import { insertInto } from "./inserting";
import { freeId } from "../document/naming";
import { middleOf } from "../layout/room";

/** A node set into an edge that makes an expression the key, to join or group by it. Null where the edge is gone. */
export function rekeying(edge: GraphEdge, expression: string, document: Document, rules: Rules): Addition | null {
  const rekeys = [...rules.operators.values()].find((operator) => operator.new_key_field !== null);
  if (nodeOf(document, edge.source) === undefined || rekeys?.new_key_field == null) return null;
  const id = freeId(rekeys.name, document.graph.nodes.map((node) => node.id));
  const config = { ...firstConfig(rekeys), [rekeys.new_key_field]: expression };
  const node = { id, operator: rekeys.name, config, position: middleOf(edge, document) };
  return { id, edit: (before) => insertInto(add(node)(before), id, edgeKey(edge), rules) };
}
