import { expect, it } from "vitest";
import type { Graph } from "../../api/types";
import { NODE } from "../../live/samples";
import { findTableSize } from "./lookups";

const edge = (source: string, target: string, target_port = "table") => ({
  source,
  source_port: "result",
  target,
  target_port,
});
const graph: Graph = {
  nodes: [],
  edges: [
    edge("orders", "named", "left"),
    edge("customers", "active"),
    edge("active", "named", "right"),
    edge("named", "paid", "left"),
  ],
};
const size = { rows: 1_200, bytes: 40_960 };
const nodes = { orders: NODE, customers: { ...NODE, state: size }, active: NODE, named: { ...NODE, no_match: 3 } };

it("of a join are the rows of its table, also where that is only filtered from another", () => {
  expect(findTableSize("named", "right", graph, nodes)).toEqual(size);
});

it("are of no node that looks nothing up, and not known before the table has said so", () => {
  expect(findTableSize("customers", null, graph, nodes)).toBeNull();
  expect(findTableSize("paid", null, graph, { ...nodes, paid: NODE })).toBeNull();
  expect(findTableSize("named", "right", graph, { ...nodes, customers: NODE })).toBeNull();
});
