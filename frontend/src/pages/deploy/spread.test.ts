import { expect, it } from "vitest";
import { describeSpread } from "./spread";

it("says over how many tasks topics with different partition counts are spread", () => {
  expect(describeSpread({ partitions: { orders: 4, customers: 6 }, tasks: 6 })).toBe(
    "`orders` has 4 partitions, `customers` 6: the job spreads both over 6 tasks.",
  );
  expect(describeSpread({ partitions: { a: 1, b: 2, c: 3 }, tasks: 1 })).toBe(
    "`a` has 1 partition, `b` 2, `c` 3: the job spreads all over 1 task.",
  );
});
