import { expect, test } from "vitest";
import type { Message } from "../../api/types";
import { unlikelyTimes } from "./times";

const NOW = Date.UTC(2026, 2, 28);
const FIELD = { timestamp_from: "field", timestamp_field: "at" };

const record = (timestamp: number, value: unknown = {}) =>
  ({ timestamp, value: JSON.stringify(value), headers: [] }) as unknown as Message;

test("likely times are not spoken of", () => {
  expect(unlikelyTimes([record(NOW), record(NOW + 3_600_000)], {}, NOW)).toBeNull();
  expect(unlikelyTimes([], {}, NOW)).toBeNull();
  expect(unlikelyTimes([record(0)], { timestamp_from: "wall_clock" }, NOW)).toBeNull();
  expect(unlikelyTimes([record(0, { at: NOW / 1_000 })], { ...FIELD, timestamp_unit: "s" }, NOW)).toBeNull();
  const iso = { ...FIELD, timestamp_unit: "iso" };
  expect(unlikelyTimes([record(0, { at: "2026-03-01T00:00:00Z" })], iso, NOW)).toBeNull();
});

test("seconds taken for milliseconds are recognised, with an example and the unit to choose", () => {
  const field = unlikelyTimes([record(NOW, { at: NOW / 1_000 }), record(NOW, { at: NOW })], FIELD, NOW);
  const topic = unlikelyTimes([record(NOW / 1_000)], {}, NOW);

  expect(field).toContain("1 of 2 times in the newest records are before 2000, such as `1774656000` read as ");
  expect(field).toContain("1970");
  expect(field).toContain("They look like seconds: choose `s` as `timestamp_unit`.");
  expect(topic).toContain("choose `field` as `timestamp_from`, `timestamp` as the field");
});

test("the time of the topic may be read in another unit", () => {
  const config = { ...FIELD, timestamp_field: "timestamp", timestamp_unit: "s" };

  expect(unlikelyTimes([record(NOW / 1_000)], config, NOW)).toBeNull();
});

test("microseconds taken for milliseconds are recognised", () => {
  const config = { ...FIELD, timestamp_field: "value.order.at" };

  const told = unlikelyTimes([record(0, { order: { at: NOW * 1_000 } })], config, NOW);

  expect(told).toContain("They look like microseconds: write `value.order.at / 1000` as `timestamp_field`");
});

test("a time years ahead is said to make later records late", () => {
  const told = unlikelyTimes([record(NOW), record(NOW + 400 * 86_400_000)], {}, NOW);

  expect(told).toContain("1 of 2 times in the newest records are more than a day ahead");
  expect(told).toContain("Set `max_ahead_ms`");
});

test("what only the server can compute is left to it", () => {
  const config = { ...FIELD, timestamp_field: "to_timestamp_ms(at)" };

  expect(unlikelyTimes([record(0, { at: 5 })], config, NOW)).toBeNull();
  expect(unlikelyTimes([record(0, "no object")], FIELD, NOW)).toBeNull();
  expect(unlikelyTimes([{ ...record(0), value: "no json" }], FIELD, NOW)).toBeNull();
});
