import { expect, it } from "vitest";
import type { Preview, ProofDifference, ProofReport } from "../../api/types";
import {
  describeProgress,
  describeRebuilding,
  describeRebuilt,
  describeRepeated,
  explainEmpty,
  listDifferences,
  nameCase,
} from "./proof";

const DIFFERENCE: ProofDifference = {
  grade: "other_value",
  topic: "totals",
  key: '"ann"',
  origin: { topic: "orders", partition: 3, offset: 18_811 },
  at: "orders-3@18811",
  input: null,
  records: [{ topic: "orders", key: "ann", value: { amount: 3 }, timestamp: 1_000 }],
  old: [],
  new: [],
  fields: ["total"],
  node: "priced",
  batch: 7,
  time: 0,
};
const REPORT = {
  records: 1_234,
  batches: 56,
  records_per_second: 9_000,
  memory: 200 << 20,
  cores: 0.354,
  disk: 30 << 20,
  repeated: { batches: 56, same: 56, twice: 0 },
  first: [DIFFERENCE],
  newest: [{ ...DIFFERENCE, node: "named" }],
} as unknown as ProofReport;

const LOAD = "It uses 35 % of a core, 200 MiB of memory and 30.0 MiB of disk.";

it("lists the first differences, then the newest, of all nodes or of one", () => {
  expect(listDifferences(REPORT, null).map(({ node }) => node)).toEqual(["priced", "named"]);
  expect(listDifferences(REPORT, "named")).toHaveLength(1);
});

it("says how far it is, and how sure", () => {
  expect(describeProgress(REPORT)).toBe(
    `1,234 records in 56 batches, 9,000 a second. ${LOAD}`,
  );
  expect(describeProgress({ ...REPORT, memory: 0, kept_batches: 80, left_s: 12.4 })).toBe(
    "1,234 records in 56 of 80 batches, 9,000 a second, about 12 s left.",
  );
  const older = { ...REPORT, memory: 0 };
  expect(describeProgress({ ...REPORT, left_s: 12.4 }, true)).toMatch(/a second\. It used 35 % of a core/);
  expect(describeProgress(older)).toBe("1,234 records in 56 batches, 9,000 a second.");
  expect(describeRepeated(REPORT)).toBe("The running version gives the same bytes again that the job wrote.");
  const some = { ...REPORT, repeated: { batches: 56, same: 3, twice: 0 } };
  expect(describeRepeated(some)).toBe("3 of 56 batches of the running version give the same bytes again.");
});

it("names a test case of a difference", () => {
  expect(nameCase(DIFFERENCE)).toBe("totals: total since orders-3@18811");
  expect(nameCase({ ...DIFFERENCE, fields: [], grade: "missing" })).toBe("totals: missing since orders-3@18811");
});

it("says how far the state is rebuilt, and from what", () => {
  const orders = { since: 1_000, offsets: [5], is_cut: true };
  const topics = { orders, names: { since: null, offsets: [0], is_cut: false } };
  const rebuilding = { ...REPORT, batches: 0, rebuilt: { done: 1_200, count: 5_600, topics } };
  expect(describeRebuilding(rebuilding)).toBe(`1,200 of 5,600 records. ${LOAD}`);
  expect(describeRebuilding({ ...rebuilding, left_s: 200 })).toContain("5,600 records, about 3 min left.");
  expect(describeRebuilding({ ...rebuilding, batches: 1 })).toBeNull();
  expect(describeRebuilding(REPORT)).toBeNull();
  const now = /^The state of the draft is being rebuilt from `orders` since .*, `names`\.$/;
  expect(describeRebuilt(rebuilding)).toMatch(now);
  expect(describeRebuilt({ ...rebuilding, batches: 1 })).toMatch(/^The state of the draft was rebuilt from `orders`/);
  expect(describeRebuilt(REPORT)).toBe("");
});

it("says why the state should be rebuilt only if a store would start empty", () => {
  const kept = { node: "delays", store: "delays", effect: "kept", why: "Its contents fit the new version." };
  const empty = { node: "totals", store: "sums", effect: "starts_empty", why: "Its windows changed." };
  expect(explainEmpty([kept] as unknown as Preview["state"])).toBeNull();
  expect(explainEmpty([kept, empty] as unknown as Preview["state"])).toBe(
    "The store sums of `totals` would start empty: Its windows changed. Rebuilt from the topics, the draft begins as " +
      "if it had read them from the beginning.",
  );
});
