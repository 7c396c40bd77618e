import { afterEach, expect, test, vi } from "vitest";
import { describeChange, makeQuery } from "./text";

afterEach(() => vi.unstubAllEnvs());

const NONE = { by: "", what: "", since: "", until: "" };

test("an empty filter asks for everything", () => {
  expect(makeQuery(NONE)).toEqual({ by: "", what: "", since: null, until: null });
  expect(makeQuery({ ...NONE, by: " ada ", what: "/jobs/7" })).toMatchObject({ by: "ada", what: "/jobs/7" });
});

test("the last day is included", () => {
  const { since, until } = makeQuery({ ...NONE, since: "2026-11-26", until: "2026-11-26" });
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000);
});

test("the last day is included to its end when clocks are set", () => {
  vi.stubEnv("TZ", "Europe/Berlin");

  expect(makeQuery({ ...NONE, until: "2026-10-25" }).until).toBe("2026-10-25T23:00:00.000Z");
  expect(makeQuery({ ...NONE, until: "2026-03-29" }).until).toBe("2026-03-29T22:00:00.000Z");
});

test("a year that is being typed asks for any day", () => {
  expect(makeQuery({ ...NONE, since: "20266-01-01", until: "275760-12-31" })).toEqual(makeQuery(NONE));
  expect(makeQuery({ ...NONE, until: "9999-12-31" })).toMatchObject({ until: null });
});

test("values are read as text, and nothing as nothing", () => {
  const change = { of: "job orders", field: "settings.tasks", before: "", after: { tasks: 4 } };
  expect(describeChange(change)).toEqual({ ...change, before: null, after: '{"tasks":4}' });
});

test("settings of a topic say what their values mean", () => {
  const change = { of: "topic orders", field: "retention.ms", before: "604800000", after: "-1" };
  expect(describeChange(change)).toMatchObject({ before: "604800000 (7 d)", after: "-1 (no limit)" });
  expect(describeChange({ ...change, field: "partitions", before: 1, after: 4 })).toMatchObject({ after: "4" });
});

test("names what changed only if the entry is about something else", () => {
  const change = { of: "user ann", field: "name", before: null, after: "ann" };

  expect(describeChange(change, "user ann").of).toBe("");
  expect(describeChange(change, "project default").of).toBe("user ann");
});
