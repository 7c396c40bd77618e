import { expect, it } from "vitest";
import { lossWords } from "./losses";

const LOSS = { topic: "orders", partition: 0, why: "deleted", read_to: 120, first: 400, goes_on: 400, skipped: 280 } as const;

it("says which offsets are gone and where it goes on", () => {
  expect(lossWords(LOSS)).toBe(
    "`orders` 0 was read to offset 120 and begins with 400 now: 280 offsets gone. It goes on at offset 400.",
  );
  expect(lossWords({ ...LOSS, goes_on: 900, skipped: 780 })).toContain(
    "It goes on at offset 900; it skips 780 offsets in all.",
  );
});

it("does not pretend to know what a topic held that is no more", () => {
  const recreated = { ...LOSS, why: "recreated", first: 0, goes_on: 0, skipped: null } as const;

  expect(lossWords(recreated)).toBe(
    "`orders` 0 was deleted and made again: what was left of the old topic, of which offset 120 was next, is gone. " +
      "It goes on at offset 0.",
  );
  expect(lossWords({ ...recreated, read_to: null, goes_on: 1_500 })).toContain(
    "is gone. It goes on at offset 1,500 and skips 1,500 records before it.",
  );
});
