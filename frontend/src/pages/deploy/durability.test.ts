import { expect, it } from "vitest";
import { durabilityWords } from "./durability";

const safe = { topic: "orders", replication: 3, is_durable: true, why: "" };
const weak = { topic: "sums", replication: 1, is_durable: false, why: "" };

it("says how many topics a single broker can stop or lose", () => {
  expect(durabilityWords([safe, safe])).toBe("every topic survives the loss of a broker");
  expect(durabilityWords([safe, weak])).toBe("1 of 2 topics depends on a single broker");
  expect(durabilityWords([weak, weak])).toBe("2 of 2 topics depend on a single broker");
});
