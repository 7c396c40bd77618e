import { expect, it } from "vitest";
import { NODE } from "../../live/samples";
import { findEdgeRate, findWidth } from "./rates";

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

it("widens an edge by each power of ten", () => {
  expect([0, 0.2, 9, 10, 450, 5_000, 20_000, 3e6].map(findWidth)).toEqual([0, 4, 4, 7, 10, 14, 19, 19]);
});
