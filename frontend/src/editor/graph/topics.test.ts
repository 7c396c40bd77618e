import { expect, it } from "vitest";
import { findTopics } from "./topics";

const node = (config: Record<string, unknown>) => ({ id: "n", operator: "stream", config, position: { x: 0, y: 0 } });
const KNOWN = ["orders", "orders-eu", "orders-us"];

it("is each topic that is named, once", () => {
  expect(findTopics(node({ topic: "orders", topics: ["orders-eu", "orders", ""] }))).toEqual(["orders", "orders-eu"]);
});

it("is what matches a pattern as a whole", () => {
  expect(findTopics(node({ pattern: "orders-.*" }), KNOWN)).toEqual(["orders-eu", "orders-us"]);
  expect(findTopics(node({ pattern: "orders" }), KNOWN)).toEqual(["orders"]);
});

it("is nothing where the pattern cannot be read, or nothing is named", () => {
  expect(findTopics(node({ pattern: "(?P<x>orders" }), KNOWN)).toEqual([]);
  expect(findTopics(node({ topic: "" }))).toEqual([]);
});
