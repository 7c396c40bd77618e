import { expect, it } from "vitest";
import { checkId, findFreeId, findTopicName } from "./naming";
import { node } from "../samples";

it("names a node after its operator, numbered where that is taken", () => {
  expect(findFreeId("group_by_key", [])).toBe("group-by-key");
  expect(findFreeId("to", ["to", "to-2"])).toBe("to-3");
  expect(findFreeId("***", [])).toBe("node");
});

it("says why a name cannot be", () => {
  expect(checkId("late-flights", "a", [node("a")])).toBeNull();
  expect(checkId("a", "a", [node("a")])).toBeNull();
  expect(checkId("b", "a", [node("b")])).toContain("already");
  expect(checkId("Late flights", "a", [])).toContain("a-z");
});

it("takes the name of the topic, and of the next one, until the user names the node", () => {
  const reads = (id: string, topic: string) => ({ ...node(id), operator: "global_table", config: { topic } });
  const others = [node("flights"), node("global-table-2")];

  expect(findTopicName(reads("global-table-2", "orders.v1"), "", others)).toBe("orders-v1");
  expect(findTopicName(reads("global-table", "flights"), "", others)).toBe("flights-2");
  expect(findTopicName(reads("orders-v1", "orders.v2"), "orders.v1", others)).toBe("orders-v2");
  expect(findTopicName(reads("my-orders", "orders.v2"), "orders.v1", others)).toBeNull();
  expect(findTopicName(reads("global-table", "orders"), "orders", others)).toBeNull();
  expect(findTopicName(reads("global-table", ""), "orders", others)).toBeNull();
});
