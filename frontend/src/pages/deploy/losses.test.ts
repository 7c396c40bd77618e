import { expect, it } from "vitest";
import { describeLoss } from "./losses";

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
