import type { GraphEdge } from "../graph/graph";
import { placeBehind } from "./adding";
import { firstConfig } from "./configuring";
import type { Rules } from "./connecting";
import { add, edgeKey, type Document } from "./document";
import { insertedInto } from "./inserting";
import { freeId } from "./naming";

const REKEYING = "select_key";

/** A drawing with a node set into a wire that makes an expression the key: to join or group by a field. */
export function keyedBy(document: Document, edge: GraphEdge, expression: string, rules: Rules): Document {
  const { nodes } = document.graph;
  const source = nodes.find(({ id }) => id === edge.source);
  if (source === undefined) return document;
  const id = freeId(REKEYING, nodes.map((node) => node.id));
  const config = { ...firstConfig(rules.operators.get(REKEYING)), key: expression };
  const drawn = add({ id, operator: REKEYING, config, position: placeBehind(source, nodes) })(document);
  const keyed = insertedInto(drawn, id, edgeKey(edge), rules);
  return keyed === drawn ? document : keyed;
}
