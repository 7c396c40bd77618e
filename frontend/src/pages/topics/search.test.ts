import { expect, it } from "vitest";
import { makeLivePath, makeQuery, makeSearch } from "./search";

const NEWEST = makeQuery(null);

it("asks for the newest records, or for those from a record on", () => {
  const place = { partition: 2, offset: 15 };

  expect(makeSearch(NEWEST)).toMatchObject({ begin: "newest", partition: null, offset: 0, key: "", text: "" });
  expect(makeSearch(makeQuery(place))).toMatchObject({ begin: "offset", ...place });
});

it("waits for a time, and asks nothing while it is live", () => {
  expect(makeSearch({ ...NEWEST, mode: "time" })).toBeNull();
  expect(makeSearch({ ...NEWEST, mode: "time", time: "1970-01-01T00:00:01Z" })).toMatchObject({ time_ms: 1_000 });
  expect(makeSearch({ ...NEWEST, mode: "live" })).toBeNull();
});

it("names the chosen formats of the live records", () => {
  expect(makeLivePath("/ws/a/", NEWEST)).toBe("/ws/a/?decoded=1");
  expect(makeLivePath("/ws/a/", { ...NEWEST, keyFormat: "long", valueFormat: "json" }))
    .toBe("/ws/a/?decoded=1&key_format=long&value_format=json");
});
