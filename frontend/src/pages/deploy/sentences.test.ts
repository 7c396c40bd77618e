import { expect, it } from "vitest";
import { keepValidChoice, describeDurability, describeLoss, describeSpread } from "./sentences";

it("forgets an answer to a question that is no longer asked", () => {
  const earliest = [{ on_state: "fresh_from_earliest", title: "Start fresh", help: "All again." }] as const;

  expect(keepValidChoice(earliest, "fresh_from_earliest")).toBe("fresh_from_earliest");
  expect(keepValidChoice(earliest, "fresh_from_now")).toBeNull();
  expect(keepValidChoice(earliest, "keep")).toBeNull();
});

const safe = { topic: "orders", replication: 3, is_durable: true, why: "" };
const weak = { topic: "sums", replication: 1, is_durable: false, why: "" };

it("says how many topics a single broker can stop or lose", () => {
  expect(describeDurability([safe, safe])).toBe("every topic survives the loss of a broker");
  expect(describeDurability([safe, weak])).toBe("1 of 2 topics depends on a single broker");
  expect(describeDurability([weak, weak])).toBe("2 of 2 topics depend on a single broker");
});

const ORDERS = { topic: "orders", partition: 0 };
const LOSS = { ...ORDERS, why: "deleted", read_to: 120, first: 400, goes_on: 400, skipped: 280 } as const;

it("says which offsets are gone and where it goes on", () => {
  expect(describeLoss(LOSS)).toBe(
    "`orders`, partition 0: offsets 120 to 399 are gone. The job continues at offset 400.",
  );
  expect(describeLoss({ ...LOSS, goes_on: 1_900, skipped: 1_780 })).toContain(
    "The job continues at offset 1,900 and skips 1,500 more.",
  );
});

it("does not pretend to know what a topic held that is no more", () => {
  const recreated = { ...LOSS, why: "recreated", first: 0, goes_on: 0, skipped: null } as const;

  expect(describeLoss(recreated)).toBe(
    "`orders`, partition 0: the topic was deleted and created again. The job had read the old one to offset 120. " +
      "The job continues at offset 0.",
  );
  expect(describeLoss({ ...recreated, read_to: null })).not.toContain("had read");
});

it("says over how many tasks topics with different partition counts are spread", () => {
  expect(describeSpread({ partitions: { orders: 4, customers: 6 }, tasks: 6 })).toBe(
    "`orders` has 4 partitions, `customers` 6: the job spreads both over 6 tasks.",
  );
  expect(describeSpread({ partitions: { a: 1, b: 2, c: 3 }, tasks: 1 })).toBe(
    "`a` has 1 partition, `b` 2, `c` 3: the job spreads all over 1 task.",
  );
});
