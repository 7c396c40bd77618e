import { expect, it } from "vitest";
import { topicsOf } from "./topics";

const node = (config: Record<string, unknown>) => ({ id: "n", operator: "stream", config, position: { x: 0, y: 0 } });
const KNOWN = ["orders", "orders-eu", "orders-us"];

it("is each topic that is named, once", () => {
  expect(topicsOf(node({ topic: "orders", topics: ["orders-eu", "orders", ""] }))).toEqual(["orders", "orders-eu"]);
});

it("is what matches a pattern as a whole", () => {
  expect(topicsOf(node({ pattern: "orders-.*" }), KNOWN)).toEqual(["orders-eu", "orders-us"]);
  expect(topicsOf(node({ pattern: "orders" }), KNOWN)).toEqual(["orders"]);
});

it("is nothing where the pattern cannot be read, or nothing is named", () => {
  expect(topicsOf(node({ pattern: "(?P<x>orders" }), KNOWN)).toEqual([]);
  expect(topicsOf(node({ topic: "" }))).toEqual([]);
});
