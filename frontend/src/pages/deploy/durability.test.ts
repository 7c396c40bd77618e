import { expect, it } from "vitest";
import { describeDurability } from "./durability";

const safe = { topic: "orders", replication: 3, is_durable: true, why: "" };
const weak = { topic: "sums", replication: 1, is_durable: false, why: "" };

it("says how many topics a single broker can stop or lose", () => {
  expect(describeDurability([safe, safe])).toBe("every topic survives the loss of a broker");
  expect(describeDurability([safe, weak])).toBe("1 of 2 topics depends on a single broker");
  expect(describeDurability([weak, weak])).toBe("2 of 2 topics depend on a single broker");
});
