import { expect, it } from "vitest";
import {
  describeDeploy,
  describeDurability,
  describeEstimate,
  describeLoss,
  describeSpread,
  keepValidChoice,
} from "./sentences";

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

it("does not promise that a job that is over finishes its batch", () => {
  expect(describeDeploy(true, false, false)).toBe("Deploying saves a version and starts it as a job.");
  expect(describeDeploy(false, false, false)).toContain("The job finishes its batch and continues with that version.");
  expect(describeDeploy(false, true, false)).toContain("The job starts again with that version.");
  expect(describeDeploy(false, true, true)).toBe("The job starts again with this version. The draft stays as it is.");
});

it("tells no rate from records whose times are old", () => {
  const estimate = { stores: [], records: 200, records_per_day: 0, topics_of_old_records: ["orders"], restore_s: 0 };

  expect(describeEstimate(estimate)).toContain(
    "`orders` has no record of the last day, so only the records that it holds count.",
  );
  expect(describeEstimate(estimate)).not.toContain("come in a day");
  expect(describeEstimate({ ...estimate, topics_of_old_records: ["orders", "refunds"] })).toContain(
    "`orders`, `refunds` have no record of the last day, so only the records that they hold count.",
  );
  expect(describeEstimate({ ...estimate, records_per_day: 86_400, topics_of_old_records: [] })).toContain(
    "At the rate of their times, 86,400 come in a day.",
  );
});
