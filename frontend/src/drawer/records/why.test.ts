import { expect, it } from "vitest";
import type { RowStory } from "../../api/types";
import { describeCause, describeEnd, nameRow, shortenValue } from "./why";

const story: RowStory = { changes: [], older: null, end: "began", since: 0 };
const change = { batch: 1, time: 1, origin: null, record: null, before: null, after: null };

it("names the record of a change, or says that there is none", () => {
  const stored = { value: "1", timestamp: 0 };
  const origin = { topic: "orders", partition: 3, offset: 18_811 };
  expect(describeCause({ ...change, origin })).toBe("orders-3@18811 ");
  expect(describeCause(change)).toBe("Its window or time to live ended.");
  expect(describeCause({ ...change, after: stored })).toBe("A clock, not a record.");
});

it("says plainly where the story ends", () => {
  expect(describeEnd(story)).toBe("No record has made such a row.");
  expect(describeEnd(story, true)).toContain("gone before the batch ended");
  expect(describeEnd({ ...story, changes: [change] }, true)).toBe("Before that, the row was not there.");
  expect(describeEnd({ ...story, end: "more" })).toContain("older changes");
  expect(describeEnd({ ...story, end: "no_records" })).toContain("Kafka no longer has");
  expect(describeEnd({ ...story, end: "not_kept" })).toContain("no longer known");
});

it("shortens a long value for a button", () => {
  expect(shortenValue("37")).toBe("37");
  expect(shortenValue("x".repeat(30))).toHaveLength(25);
});

it("names a row by its store and its key", () => {
  expect(nameRow("sums", '"ann"')).toBe('sums, key "ann"');
});
