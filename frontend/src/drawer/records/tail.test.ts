import { describe, expect, it } from "vitest";
import type { FeedMessage, FeedRecord } from "../../api/feed";
import { applyTailMessage, contains, makeRecordKey, MAX_RECORDS, NO_TAIL } from "./tail";

function record(offset: number, value = "{}", partition = 0): FeedRecord {
  return {
    partition,
    offset,
    timestamp: offset,
    key: "a",
    is_key_base64: false,
    is_key_cut: false,
    key_bytes: 1,
    value,
    is_value_base64: false,
    is_value_cut: false,
    value_bytes: 1,
    headers: [{ key: "trace", value: "Blue", is_value_base64: false, is_value_cut: false, value_bytes: 4 }],
    headers_left_out: 0,
  };
}

const records = (offsets: readonly number[], skipped = 0): FeedMessage => ({
  type: "records",
  records: offsets.map((offset) => record(offset)),
  skipped,
});
const told = (...messages: FeedMessage[]) => messages.reduce(applyTailMessage, NO_TAIL);

describe("a tail", () => {
  it("has the newest record on top, and counts what was not shown", () => {
    const tail = told(records([1, 2], 3), records([3], 4));

    expect(tail.records.map(({ offset }) => offset)).toEqual([3, 2, 1]);
    expect(tail.skipCount).toBe(7);
  });

  it("keeps the newest of a flood", () => {
    const tail = told(...Array.from({ length: 100 }, (_, lot) => records([0, 1, 2, 3, 4, 5].map((n) => lot * 6 + n))));

    expect(tail.records).toHaveLength(MAX_RECORDS);
    expect(tail.records[0]?.offset).toBe(599);
  });

  it("shows a record once that a new connection tells again", () => {
    expect(told(records([1, 2]), records([1, 2, 3])).records.map(makeRecordKey)).toEqual(["0:3", "0:2", "0:1"]);
  });

  it("says what it waits for until records come", () => {
    const waiting = told({ type: "waiting", message: "No Kafka yet." });

    expect(waiting.note).toEqual({ isLoud: false, message: "No Kafka yet.", hint: "" });
    expect(waiting.hasRead).toBe(false);
    expect(applyTailMessage(waiting, records([]))).toMatchObject({ note: null, hasRead: true });
  });

  it("keeps saying why it was refused while it waits", () => {
    const tail = told(
      { type: "refused", code: "topic.missing", message: "There is no `x`.", hint: "Create it." },
      { type: "waiting", message: "Shown as soon as it can be read." },
    );

    expect(tail.note).toEqual({ isLoud: true, message: "There is no `x`.", hint: "Create it." });
  });
});

it.each([
  ["a", true],
  ["BLUE", true],
  ["trace", true],
  ["amount", true],
  [" ", true],
  ["z", false],
])("finds %o in key, value or headers: %o", (text, found) => {
  expect(contains(record(1, '{"amount": 1}'), text)).toBe(found);
});
