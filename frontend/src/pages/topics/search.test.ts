import { expect, it } from "vitest";
import { queryAt, livePath, searchOf } from "./search";

const NEWEST = queryAt(null);

it("asks for the newest records, or for those from a record on", () => {
  expect(searchOf(NEWEST)).toMatchObject({ begin: "newest", partition: null, offset: 0, key: "", text: "" });
  expect(searchOf(queryAt({ partition: 2, offset: 15 }))).toMatchObject({ begin: "offset", partition: 2, offset: 15 });
});

it("waits for a time, and asks nothing while it is live", () => {
  expect(searchOf({ ...NEWEST, mode: "time" })).toBeNull();
  expect(searchOf({ ...NEWEST, mode: "time", time: "1970-01-01T00:00:01Z" })).toMatchObject({ time_ms: 1_000 });
  expect(searchOf({ ...NEWEST, mode: "live" })).toBeNull();
});

it("names the chosen formats of the live records", () => {
  expect(livePath("/ws/a/", NEWEST)).toBe("/ws/a/?decoded=1");
  expect(livePath("/ws/a/", { ...NEWEST, keyFormat: "long", valueFormat: "json" }))
    .toBe("/ws/a/?decoded=1&key_format=long&value_format=json");
});
