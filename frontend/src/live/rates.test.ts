import { expect, it } from "vitest";
import { findEdgeRate } from "./rates";
import { NODE } from "./samples";

const EDGE = { source: "split", source_port: "big", target: "sum", target_port: "stream" };
const NODES = { split: { ...NODE, out_rate: 90 }, sum: { ...NODE, rate: 30 } };

it("takes the records that arrive where nothing else arrives", () => {
  expect(findEdgeRate(NODES, EDGE, true)).toBe(30);
  expect(findEdgeRate(NODES, EDGE, false)).toBe(90);
});

it("knows no rate of an edge that does not run", () => {
  expect(findEdgeRate(NODES, { ...EDGE, target: "new" }, true)).toBe(0);
  expect(findEdgeRate(undefined, EDGE, true)).toBe(0);
});
