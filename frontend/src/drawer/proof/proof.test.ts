import { expect, it } from "vitest";
import type { ProofDifference, ProofReport } from "../../api/types";
import { describeProgress, describeRepeated, listDifferences, nameCase } from "./proof";

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
  repeated: { batches: 56, same: 56, twice: 0 },
  first: [DIFFERENCE],
  newest: [{ ...DIFFERENCE, node: "named" }],
} as unknown as ProofReport;

it("lists the first differences, then the newest, of all nodes or of one", () => {
  expect(listDifferences(REPORT, null).map(({ node }) => node)).toEqual(["priced", "named"]);
  expect(listDifferences(REPORT, "named")).toHaveLength(1);
});

it("says how far it is, and how sure", () => {
  expect(describeProgress(REPORT)).toBe(
    "1,234 records in 56 batches, 9,000 a second. It uses 35 % of a core and 200 MiB.",
  );
  const older = { ...REPORT, memory: 0 };
  expect(describeProgress(older)).toBe("1,234 records in 56 batches, 9,000 a second.");
  expect(describeRepeated(REPORT)).toBe("The running version gives the same bytes again that the job wrote.");
  const some = { ...REPORT, repeated: { batches: 56, same: 3, twice: 0 } };
  expect(describeRepeated(some)).toBe("3 of 56 batches of the running version give the same bytes again.");
});

it("names a test case of a difference", () => {
  expect(nameCase(DIFFERENCE)).toBe("totals: total since orders-3@18811");
  expect(nameCase({ ...DIFFERENCE, fields: [], grade: "missing" })).toBe("totals: missing since orders-3@18811");
});
