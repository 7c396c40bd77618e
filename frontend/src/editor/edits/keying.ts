import type { GraphEdge } from "../../api/types";
import type { Addition } from "./adding";
import { makeFirstConfig } from "./configuring";
import type { Rules } from "../edges/connecting";
import { add, findNode, makeEdgeKey, type Document } from "../document/document";
import { putIntoEdge } from "./inserting";
import { findFreeId } from "../document/naming";
import { findMiddle } from "../layout/room";

/** Puts a node into an edge that makes an expression the key, for a join or group. Null if the edge is gone. */
export function addKeyNode(edge: GraphEdge, expression: string, document: Document, rules: Rules): Addition | null {
  const rekeys = [...rules.operators.values()].find((operator) => operator.new_key_field !== null);
  if (findNode(document, edge.source) === undefined || rekeys?.new_key_field == null) return null;
  const id = findFreeId(rekeys.name, document.graph.nodes.map((node) => node.id));
  const config = { ...makeFirstConfig(rekeys), [rekeys.new_key_field]: expression };
  const node = { id, operator: rekeys.name, config, position: findMiddle(edge, document) };
  return { id, edit: (before) => putIntoEdge(add(node)(before), id, makeEdgeKey(edge), rules) };
}
